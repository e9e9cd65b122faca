"""Arithmetic word problems with uniform names and numbers: the source of the embedded demo.

Each situation is a story of its own with slots. A number slot names the list it is drawn from (``small``,
``medium``, ``tens`` or ``hundreds``), and each list is a whole shape class: every number of that many digits
and trailing zeros that may appear at all. Within a problem the numbers are distinct, so swapping them for
others of the same shape gives a text that the source would have produced just as often. The wording is
chosen so that every draw makes sense: what is taken away always comes from a larger class.
"""

import random
from dataclasses import dataclass
from string import Formatter

SMALL = tuple(range(2, 10))
MEDIUM = tuple(number for number in range(11, 100) if number % 10)
TENS = tuple(range(20, 100, 10))
HUNDREDS = tuple(range(200, 1000, 100))
LISTS = {"small": SMALL, "medium": MEDIUM, "tens": TENS, "hundreds": HUNDREDS}

_FEMALE_NAMES = """
Alice Amelia Anna Beatrice Carmen Charlotte Clara Daniela Diana Elena Emily Emma Eva Fatima Fiona Hannah
Helen Ingrid Irene Isabel Julia Karen Laura Leila Linda Lucy Maria Martha Monica Nadia Naomi Nora Olivia
Priya Rachel Rebecca Sarah Sofia Teresa Yasmin
"""
_MALE_NAMES = """
Aaron Adam Ahmed Albert Andrew Anton Benjamin Carlos Daniel David Diego Edward Erik Felix Gabriel George
Hassan Henry Hugo Ivan James Jonas Joseph Kenji Kevin Leon Liam Lucas Marco Martin Michael Nathan Oliver
Omar Oscar Pablo Peter Samuel Thomas Victor
"""
FEMALE = tuple(_FEMALE_NAMES.split())
MALE = tuple(_MALE_NAMES.split())

# One situation a paragraph. {A}, {B}, {C} are people; {A.his} is the pronoun for {A}, whoever that turns out
# to be. The digit after a list's name only tells slots of the same list apart.
_STORIES = """
{A} looks after {medium1} beehives on the hill behind {A.his} house. Each hive gave {small1} jars of honey
in spring, and in autumn the whole hill gave another {hundreds1} jars. If {A.he} sells every jar for
{small2} dollars, how much money does the honey bring in?

A ferry crosses the bay all week. On its morning trips it carries {hundreds1} people altogether, and on the
evening trips {medium1}. At a fare of {small1} dollars a head, what do the tickets add up to, once the
captain has let {tens1} children travel free?

In the pottery studio {A} glazes {medium1} cups before lunch while {B} manages {medium2}. The kiln holds
{small1} cups at a time, and one firing uses {hundreds1} units of gas. How much gas does it take to fire all
the cups?

How many stitches does {A} knit for a blanket made of {small1} stripes if every stripe has {tens1} rows with
{hundreds1} stitches in a row, and a border of {medium1} stitches goes around the outside?

{A} and {B} share a flat. The rent is {hundreds1} dollars a month, power comes to {medium1} dollars and the
internet to {tens1}. {B} also owes {A} {small1} dollars for bread. How much must {B.he} hand over this month
if they split the bills evenly?

The choir director has {hundreds1} programmes printed for a concert. Ushers give away {medium1} of them on
Friday and {tens1} on Saturday. How many are still in the box when {small1} singers have each taken one
home?

A baker fills {small1} trays with {medium1} rolls each. Later a hospital orders {medium2} extra rolls, so
{A} bakes these too and packs everything into bags of {small2}. How many bags does {A.he} need?

Every morning {A} swims {tens1} lengths of a pool that is {medium1} metres long. {B}, who trains beside
{A.him}, swims {small1} lengths fewer. How far do the two of them swim together in {small2} weeks?

A cinema has {medium1} rows with {tens1} seats in each, but {small1} rows are closed for repair. Tickets for
the rest are {small2} dollars apiece. What does a sold-out evening earn?

{A} is reading a novel of {hundreds1} pages. {A.He} read {medium1} pages on the train and {small1} more in
the bath before falling asleep. If {A.he} wants to finish in {small2} days, how many pages a day remain?

To paint the village fence, volunteers mix {small1} buckets of white with {small2} buckets of blue. A bucket
costs {medium1} dollars and covers {tens1} boards. How many boards can they cover, and what do they spend?

{A} walks dogs after school: {small1} dogs on Monday, {small2} on Wednesday and {small3} on Friday. Each dog
brings in {medium1} dollars. After spending {small4} dollars on treats, how much of the week's pay is left?

A train leaves the capital with {hundreds1} passengers. At the first stop {medium1} get off and {medium2}
get on; at the second, {small1} get off and {tens1} get on. How many people are on board now?

From a roll with {hundreds1} centimetres of ribbon, {A} cuts {small1} pieces of {small2} centimetres and a
bow of {medium1} centimetres. What length is left?

The aquarium keeps {medium1} clownfish, {medium2} seahorses and {small1} turtles. A clownfish or a seahorse
gets {small2} grams of food per day, a turtle {hundreds1} grams. How much food does the aquarium need each
day?

{A} has inherited an orchard with {tens1} rows. There are {small1} apple trees and {small2} pear trees in
every row, and by the gate stand {medium1} old cherry trees. How many trees does {A.he} own altogether?

{A} and {B} hike {medium1} kilometres on the first day, {small1} kilometres more on the second, and
{medium2} on the last. How long is the whole trail, if the stretch they skipped by bus measures {hundreds1}
kilometres?

A machine stamps {tens1} badges a minute. It runs for {small1} minutes, jams, and runs for {small2} minutes
more. When {A} sorts the badges, {medium1} turn out to be smudged. How many good badges does {A.he} count?

A museum charges {medium1} dollars for adults and {small1} for children. On Sunday {hundreds1} adults and
{medium2} children came, and the shop sold {tens1} dollars' worth of posters. What did the museum take in?

{A} saves coins in a jar. It holds {medium1} quarters, {medium2} dimes and {tens1} nickels. After the fair
{A.he} drops in {small1} more of every kind. How many cents are in the jar?

For a school trip the office hires {small1} coaches. In each of them ride {medium1} pupils and {small2}
teachers, and {tens1} parents follow by car. How many lunches must the kitchen pack?

On a calm day each turbine of the wind farm makes {small1} units of power, on a stormy day {tens1} units.
There are {medium1} turbines on the ridge. How much power do they make in {small2} calm days followed by
{small3} stormy ones?

When {A} was {small1} years old, {A.his} uncle was {tens1}. How old will the uncle be on the day when {A}
turns {medium1}, and how many candles do they need if both cakes get {small2} extra ones for luck?

A laundry washes {hundreds1} towels for a hotel every day, along with {medium1} tablecloths. A machine takes
{tens1} pieces at once, and a load runs for {medium2} minutes. How long do the machines run in {small1}
days?

In {A}'s album {tens1} pages hold {small1} stamps each. Then {B} offers {A.him} {medium1} stamps from Peru
for {small2} from Kenya, and {A} agrees. How many stamps does {A.he} have after the trade?

A gardener has a tank with {hundreds1} litres of rain water. The roses take {medium1} litres, and each of
the {small1} tomato beds takes {small2} litres. How much water stays in the tank?

At the ice rink, skates cost {small1} dollars to rent and a helmet {small2} dollars. Yesterday {medium1}
people rented both and {medium2} rented skates only. How much was collected, counting {tens1} dollars in the
tip jar?

{A} folds paper cranes. On Monday {A.he} folds {medium1}, and each day after that {A.he} folds {small1} more
than the day before. {B} brings {tens1} cranes of {B.his} own. After {small2} days, how many can they hang
up?

A lorry carries {medium1} crates, each weighing {tens1} kilograms, and {small1} drums of oil that weigh
{hundreds1} kilograms apiece. What does the load weigh once the driver has dropped off {small2} of the
crates?

{A} types {medium1} words a minute and {B} types {medium2}. Together they copy old diaries for {small1}
hours a day. How many words have they copied after {small2} days, not counting a page of {hundreds1} words
that the dog ate?

A cheese maker turns {hundreds1} litres of milk into {small1} wheels of cheese. A wheel is cut into
{medium1} slices, and a slice is sold for {small2} dollars. What do the slices of all the wheels bring in?

Unlocking a rented scooter costs {small1} dollars and riding it costs {medium1} cents a minute. {A} rides
for {tens1} minutes to the beach and for {medium2} minutes on the way back. What does the outing cost
{A.him}?

Out of {hundreds1} seeds that {A} sows, {medium1} never sprout, the birds eat {small1} and frost kills
{small2}. How many seedlings are left?

A radio station plays {medium1} songs in the morning show and {small1} songs in each hour afterwards. With
{small2} hours to go after the show and adverts coming on {tens1} times a day, how many songs and adverts
are heard?

The bridge toll is {small1} dollars for a car and {medium1} for a truck. During the night {hundreds1} cars
and {tens1} trucks crossed. How much was paid, if {small2} of the cars belonged to the police and went free?

{A} bakes pies for the fair: {small1} with apples, {small2} with plums and {small3} with pumpkin. Every pie
is cut into {small4} slices, and a slice costs {medium1} cents. How much can {A.he} earn if nothing is left
over?

There are {hundreds1} parking spaces under the mall; {medium1} fill up on the upper deck and {tens1} below,
then {small1} cars leave. How many spaces are free?

{A} needs {medium1} tiles for the bathroom and {hundreds1} for the kitchen. Tiles come in boxes of {tens1},
and {A.he} expects {small1} of them to break. How many boxes should {A.he} order?

In the week of the great snow, {A} and {A.his} father clear {medium1} driveways a day. A driveway earns them
{tens1} dollars, while fuel for the plough eats up {medium2} dollars of each day's money. How much do they
have after {small1} snowy days?

Every bottle in the cellar holds {hundreds1} millilitres of juice. {A} empties {small1} bottles into a bowl,
adds {medium1} ice cubes and stirs. {B} ladles out a cup of {tens1} millilitres. How much juice is left?

A satellite takes {hundreds1} photos on each orbit and makes {small1} orbits a day. Clouds spoil {medium1}
of the photos every day. How many clear pictures does it send home in {small2} days?

{A} has {medium1} marbles, {B} has {medium2} and {C} has {medium3}. They tip them all into a box together
with a new bag of {tens1}. Then {C} loses {small1} of them under the sofa. How many marbles are in the box?

A summer camp puts {small1} children in each tent and {small2} children in each cabin. There are {medium1}
tents and {medium2} cabins, and {tens1} helpers sleep at the farm. How many plates are needed at dinner?

It is {hundreds1} kilometres to the coast, and {A}'s old car burns {small1} litres of petrol for every
{tens1} kilometres. What does the drive cost {A.him} at {small2} dollars a litre with {medium1} dollars of
road tolls on top?

Workers lay {medium1} metres of pipe on a dry day and {small1} metres on a rainy day. So far the project has
seen {tens1} dry days and {medium2} rainy ones. How long is the pipe, including {hundreds1} metres that were
there before?

For {A.his} birthday {A} was given a card worth {hundreds1} dollars in {A.his} favourite shop. After looking
around for a whole afternoon, {A.he} picks {small1} notebooks at {small2} dollars each for school, lets the
assistant talk {A.him} into a red backpack for {medium1} dollars, and goes home happy. How much money stays
on the card?

In a chess club, {medium1} members play {small1} games each in autumn. As it takes two people to play, how
many games does the club write down in the whole year, if {tens1} members play {small2} games each in
spring?

A sheep farmer shears {medium1} sheep before noon and {medium2} after. Each fleece weighs {small1}
kilograms. The mill takes the wool at {small2} dollars a kilogram and charges {tens1} dollars for transport.
What does the farmer get?

One of {A}'s necklaces needs {medium1} glass beads and {small1} silver ones. {A.He} has orders for {small2}
necklaces from a shop and {tens1} from {A.his} website. How many beads of both sorts does {A.he} have to
buy?

Before the storm, the lighthouse shop had {hundreds1} postcards. {A} sold {medium1} of them to a tour group
and {small1} to a sailor, then found {tens1} more in a drawer. How many postcards has the shop got now?

A lift carries {small1} people and takes {medium1} seconds for a round trip. A crowd of {hundreds1} guests
wants to reach the roof terrace, but {tens1} of them prefer the stairs. How many seconds pass until everyone
is up?

{A}'s phone plan includes {hundreds1} minutes. {A.He} talks to {B} for {medium1} minutes and to {A.his}
mother for {tens1}. How many minutes a day are left for the remaining {small1} days of the month?

At the recycling centre a sack of cans earns {small1} dollars and a crate of glass earns {small2}. The
scouts bring {medium1} sacks on Saturday; on Sunday they bring {medium2} crates and {tens1} more sacks. What
do they earn?

{A} practises the drums for {medium1} minutes on each school day and for {tens1} minutes on each day of the
weekend. How many minutes is that in {small1} weeks, counting one long rehearsal of {hundreds1} minutes with
{B}?

A hotel has {small1} floors with {medium1} rooms on each. Tonight {small2} rooms stand empty; in every other
room {A} lays out {small3} pillows. If the storeroom had {hundreds1} pillows more than {A.he} needs, how
many pillows are there in all?

The weather hut measured {medium1} millimetres of rain in March, {medium2} in April and {small1} in May. The
rest of the year brought {hundreds1} millimetres. How much would fall in {small2} years like this?

{A} picks {medium1} kilograms of berries and {B} picks {small1} kilograms less. They boil them with {tens1}
kilograms of sugar and pour the jam into glasses of {hundreds1} grams. How many glasses do they need?

A theatre sells {hundreds1} seats in the stalls for {medium1} dollars each and {tens1} seats in the gallery
for {small1} dollars each. At the last show {small2} people in the gallery had free passes. What was the
income?

Three painters, {A}, {B} and {C}, finish {small1}, {small2} and {small3} rooms a week. A room pays
{hundreds1} dollars, and the brushes cost {medium1} dollars a week. What is left for the three to share?

{A} is building a model ship from {hundreds1} parts. {A.He} glues {small1} parts on each evening from Monday
to Friday, {medium1} more over the weekend and a last {small2} the next morning. How many parts are still
loose?

The mushroom dealer pays {small1} dollars a basket. On Tuesday {A} filled {medium1} baskets, on Thursday
{small2} fewer, and on Saturday {tens1}. How much did {A.he} earn in those three days?

Tea comes with {tens1} bags in a box and {medium1} boxes in a carton. Of {small1} cartons, {small2} boxes
arrive crushed. How many tea bags are good?

{A} runs {small1} laps to warm up and then {medium1} laps of the track at full speed. A lap is {hundreds1}
metres. {B} jogs along for {small2} of the laps. How many metres do the two runners cover in total?

In the dry season the village well gives {medium1} buckets a day, in the wet season {hundreds1}. How many
buckets can the villagers draw in {tens1} dry days and {small1} wet ones?

{A} has {medium1} letters to translate. A short one takes {A.him} {small1} minutes. If {small2} of the
letters are long and need {tens1} minutes each, when all are done, how many minutes has {A.he} worked?

On market day a puppet theatre sets up its stage beside the fountain and gives {small1} shows before dark.
About {medium1} children sit down for each show, parents stand behind them, and at the end every child may
take {small2} sweets from a basket that {A} carries around. How many sweets does {A.he} need for {tens1}
market days?

{A} stacks {small1} rows of {medium1} logs, {B} adds {tens1}, and the first cold night burns {small2}. How
many logs remain?

The library lends {hundreds1} books in a quiet week and {medium1} more than that in a busy one. Over
{small1} quiet weeks and {small2} busy weeks, how many loans does {A}, the librarian, write down?

{A} is learning to juggle. In the first lesson {A.he} drops the balls {medium1} times, in the second
{medium2} times and in the third only {small1} times. {B}, who teaches {A.him}, dropped them {tens1} times
as a beginner. How many drops is that for both?

A cargo plane leaves the island after breakfast and flies at {hundreds1} kilometres an hour for {small1}
hours. Then a headwind slows it down by {medium1} kilometres an hour for the next {small2} hours, and at the
end the pilot has to fly a detour of {tens1} kilometres around a thunderstorm. How far has the plane gone
when it lands?

{A} makes soap from {hundreds1} grams of olive oil, {medium1} grams of lye and {tens1} grams of lavender.
The block is cut into {small1} bars. What does a bar weigh after losing {small2} grams while drying?

For the raffle, {A} sells {medium1} tickets, {B} sells {medium2} and the stall by the door sells
{hundreds1}. The prizes cost {tens1} dollars and each ticket brings {small1} dollars. What does the raffle
raise for the clinic?

A tortoise is {hundreds1} metres from the pond. It walks {small1} metres a minute for {small2} minutes,
takes a nap in the shade, and then covers {medium1} metres more. How far is it from the water now?

For a wedding {A} decorates cakes with sugar flowers: {tens1} on a large cake and {small1} on a small cake.
There are {small2} large cakes and {medium1} small cakes to finish. How many sugar flowers does {A.he} use?

On {A}'s street {medium1} houses have a cat and {tens1} have a dog. Each cat costs its owner {small1}
dollars a week, each dog {small2}. What do all these pets cost in {medium2} weeks?

High up in the mountains stands a church whose bell rings {small1} times at noon and {medium1} times for a
wedding, but never at night because the neighbours complained. Since the bell was repaired, the ringer has
counted {medium2} weddings and {hundreds1} noons on the wall of the tower. How often has the bell been heard
in that time?

{A} and {B} run a lemonade stand. Lemons cost them {medium1} dollars and sugar {small1} dollars. They sell
{hundreds1} cups for {small2} dollars each and give {tens1} dollars to the animal shelter. What is each
one's half of the rest?

The escape room takes teams of {small1}. Each person pays {tens1} dollars, and the photo at the end costs
{small2} dollars a team. If {medium1} teams come in a month, how much money is that?

Work out the cost of a garden party with {medium1} guests: every guest eats {small1} sandwiches at {small2}
dollars each, the tent is {hundreds1} dollars, and {A} brings {A.his} band for {tens1} dollars.

What is the total weight of a parcel holding {small1} books of {hundreds1} grams each, {medium1} magazines
of {tens1} grams each and a birthday card of {small2} grams?
"""
SITUATIONS = tuple(" ".join(story.split()) for story in _STORIES.split("\n\n"))


@dataclass(frozen=True)
class Person:
    """A name with its pronouns; formats as the name.

    Parameters
    ----------
    name
        The given name.
    female
        Whether the pronouns are she and her.
    """

    name: str
    female: bool

    def __str__(self) -> str:
        return self.name

    @property
    def he(self) -> str:
        """Subject pronoun."""
        return "she" if self.female else "he"

    @property
    def He(self) -> str:  # noqa: N802 - the capital is what the slot asks for
        """Subject pronoun at the start of a sentence."""
        return self.he.capitalize()

    @property
    def him(self) -> str:
        """Object pronoun."""
        return "her" if self.female else "him"

    @property
    def his(self) -> str:
        """Possessive pronoun."""
        return "her" if self.female else "his"


PEOPLE = tuple(Person(name, True) for name in FEMALE) + tuple(Person(name, False) for name in MALE)


def slots(situation: str) -> list[str]:
    """Return the slot names of a situation without pronouns, in order of first appearance."""
    fields = [field.split(".")[0] for _, field, _, _ in Formatter().parse(situation) if field]
    return list(dict.fromkeys(fields))


def fill(situation: str, rng: random.Random) -> str:
    """Fill a situation's slots with people and numbers drawn uniformly, distinct within the problem."""
    names = slots(situation)
    people = [name for name in names if name.isupper()]
    values: dict[str, object] = dict(zip(people, rng.sample(PEOPLE, len(people)), strict=True))
    for kind, numbers in LISTS.items():
        asked = [name for name in names if name.rstrip("0123456789") == kind]
        values |= zip(asked, rng.sample(numbers, len(asked)), strict=True)
    return situation.format(**values)


def generate(seed: int, n: int) -> list[str]:
    """Write problems, each situation as often as every other (give or take one), in random order.

    Parameters
    ----------
    seed
        The same seed gives the same problems.
    n
        How many; all different.

    Returns
    -------
    list of str
        The problems.
    """
    rng = random.Random(seed)
    rounds = [rng.sample(SITUATIONS, len(SITUATIONS)) for _ in range(-(-n // len(SITUATIONS)))]
    chosen = [situation for once in rounds for situation in once][:n]
    rng.shuffle(chosen)
    problems: dict[str, None] = {}
    for situation in chosen:
        problem = fill(situation, rng)
        while problem in problems:
            problem = fill(situation, rng)
        problems[problem] = None
    return list(problems)

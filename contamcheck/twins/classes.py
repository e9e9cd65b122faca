"""Closed classes of details: what they hold, and what must be around a member for any other to do as well.

The rules speak of a class and never of its members, and every member in a text is read as the name of its class (such
as ``<fruit>``): a text with other members is then judged alike. A form belongs to one class only.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple


def _set(*texts: str) -> frozenset[str]:
    return frozenset(" ".join(texts).split())


_FUNCTION = """
    <start> . , ; : ? ! ( % <number> a an the this that these those each every per both all some any no his her its
    their our my your whose which what one two three four five six seven eight nine ten eleven twelve thirteen
    fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred
    thousand dozen half quarter third fourth and or but than as of for from in on at to with by into onto over under
    between among about without if when while is are was were be been do does did has have had will would can could
    many much more fewer less most few several enough only just also other another additional extra total first second
    last next same different remaining twice thrice equal up out off then now there it they he she"""
_VERBS = """
    buy buys bought buying sell sells sold selling eat eats ate eaten eating give gives gave given giving get gets got
    getting make makes made making bake bakes baked baking pick picks picked picking plant plants planted planting
    need needs needed want wants wanted take takes took taking use uses used using own owns owned keep keeps kept
    collect collects collected collecting find finds found lose loses lost order orders ordered receive receives
    received contain contains contained hold holds held carry carries carried see sees saw count counts counted add
    adds added put puts bring brings brought share shares shared include includes like likes liked love loves grow
    grows grew donate donates donated purchase purchases purchased produce produces having invite invites invited
    raise raises prefer"""
_ADJECTIVES = """
    new old small large big bigger smaller larger little good bad nice fresh whole single favorite expensive cheap
    cheaper delicious rotten broken older free certain regular available leftover beautiful pretty special identical
    assorted spare missing average plain"""
_NOUN = _set(_FUNCTION + _VERBS + _ADJECTIVES)
_SINGULAR = _set(
    _VERBS
    + """
    <end> . , ; : ? ! ) and or but than as of for from in on at to with by into onto over under between among about
    without if when while is are was were be do does did has have had will would can could should must may might not
    that which who because so then after before until since during per each every a an the he she it they we you his
    her their also only costs cost weighs takes took gets got needs want wants contains sells sold buys bought left
    away instead how what where more less twice half there this these both back combined currently gives passes offers
    travels drives goes get eats eat received made picks gave decides decided pays paid charges charged spends spent
    works worked lives lived opened hired hires earns earned picked came comes went starts started agrees agreed today
    tomorrow yesterday still already now can't doesn orders produces receives"""
)
_COLOURABLE = _set("""
            <toy> balloon balloons <stationery> <clothing> <footwear> <vehicle> <candy> ball balls block blocks brick
            bricks bike bikes bicycle bicycles t candle candles ticket tickets card cards chip chips <furniture> token
            tokens tile tiles paint paper papers yarn rope ropes box boxes bag bags bin bins bucket buckets basket
            baskets house houses towel towels candies counter counters cube cubes fabric cloth thread fiber plate
            plates cup cups mug mugs bowl bowls door doors vase vases kite kites umbrella umbrellas sticks stick
            glitter jelly golf bouncy rubber plastic building toy game construction bumper ones one blanket blankets
            stripe stripes curtain curtains envelope envelopes pillow pillows""")
_IN = _set("""
            in to from near around across through visit visits visited visiting reach reached""")


@dataclass(frozen=True, eq=False)
class Kind:
    """A closed class.

    Parameters
    ----------
    name : str
        What its members are.
    members : tuple of (str, str)
        Singular, by which the member is known, and plural; the same where only one form is known.
    guards : frozenset of str
        Words, or names of classes in angle brackets, that may tie the sense to one member: a question with one of
        them, or with an s behind it, is left as it is. Here and below, a member of a class stands for the class.
    before : frozenset of str, optional
        What must stand before a member; by default whatever makes no compound of it. An empty set allows anything.
    after : frozenset of str, optional
        What must stand behind a singular. An empty set allows anything.
    anchors : frozenset of str, optional
        What must stand behind one of the members at least.
    bare : bool, default False
        Whether the singular stands without an article, so that it may begin a sentence.
    rows : tuple of (int, int), default ()
        Of classes with an order: the members of one question are one detail, and move together by one distance within
        one of these rows (first member, and one after the last). Others are drawn one by one.
    closed : bool, default False
        Whether what moves beyond the last of a row goes on with the first.
    whole : bool, default False
        Whether all members must occur: who is only one of two may be somebody the question names.
    """

    name: str
    members: tuple[tuple[str, str], ...]
    guards: frozenset[str]
    before: frozenset[str] = _NOUN
    after: frozenset[str] = _SINGULAR
    anchors: frozenset[str] = frozenset()
    bare: bool = False
    rows: tuple[tuple[int, int], ...] = ()
    closed: bool = False
    whole: bool = False


def _members(text: str) -> tuple[tuple[str, str], ...]:
    """``apple cherry/cherries tea=``: plurals in s, as they are given, and none."""
    pairs = []
    for entry in text.split():
        one, slash, several = entry.partition("/")
        several = several if slash else one.removesuffix("=") + "s" * (not one.endswith("="))
        pairs.append((one.removesuffix("=").replace("_", " "), several.replace("_", " ")))
    return tuple(pairs)


_ANY: frozenset[str] = frozenset()
_FOOD = "calorie sugar protein carbs vitamin allergic vegetarian recipe ingredient dough flour"
_BEAST = "leg milk egg wool feather breed weigh weight pound lb kg heavier tall foot eats eat food feed hay"
_GENDER = """
    he she his her him hers himself herself mr. mrs. ms. dr. mr mrs ms miss male female dress skirt heel hair scout
    pregnant baby mother father mom dad husband wife brother sister uncle aunt son daughter <sport> ballet cheerleader
    princess makeup other lady ladies gentleman gentlemen fraternity sorority wrestling beard tie suit purse"""

_WRITTEN = (
    Kind(
        "weekday",
        _members("Monday Tuesday Wednesday Thursday Friday Saturday Sunday"),
        _set("""
            weekend weekday christmas easter thanksgiving halloween church holiday birthday payday <month> tomorrow
            yesterday today remaining rest super valentine workday schoolday midweek fortnight service mass religious
            sabbath"""),
        before=_ANY,
        after=_ANY,
        bare=True,
        rows=((0, 5), (5, 7)),
    ),
    Kind(
        "month",
        _members("""
            January= February= March= April= May= June= July= August= September= October= November= December="""),
        _set("""
            day daily week weekly weekend weekday date year yearly annual season summer winter spring autumn fall
            christmas easter halloween thanksgiving valentine holiday vacation snow snowfall rain rained rainfall
            temperature weather harvest birthday school semester term quarter leap hot cold <weekday> born tax
            fireworks first second third fourth fifth st nd rd th"""),
        before=_set("in during of by until since through late early mid"),
        after=_set(
            """
            <end> . , ; : ? ! ) and but than as if how when what the he she they it his her their was is to did does
            had"""
        ),
        bare=True,
        rows=((0, 12),),
        closed=True,
    ),
    Kind("child", _members("boy girl"), _set(_GENDER), rows=((0, 2),), closed=True, whole=True),
    Kind("adult", _members("man/men woman/women"), _set(_GENDER), rows=((0, 2),), closed=True, whole=True),
    Kind(
        "colour",
        _members("red= blue= green= yellow= purple= pink= black= white="),
        _set("""
            traffic light dark bright navy royal eye hair rainbow mix mixed mixes mixing primary shade flag wine ripe
            skin sky cheese pepper bean <drink> bread chess checkers stain bleach laundry team army uv sun race racist
            <fruit> <vegetable> <flower> santa christmas watercolor leaf leaves"""),
        before=_ANY,
        after=_COLOURABLE | _SINGULAR,
        anchors=_COLOURABLE,
        bare=True,
    ),
    Kind(
        "surname",
        _members("""
            Smith Johnson Brown Jones/Joneses Williams/Williamses Davis/Davises Miller Wilson Moore Taylor Anderson
            Thompson Garcia Martinez Robinson Clark Rodriguez Lewis Walker Hall Wright Lopez Hill Adams/Adamses Baker
            Nelson Carter Mitchell Roberts/Robertses Turner Phillips Campbell Evans/Evanses Edwards Collins Stewart
            Morris Rogers Reed Cook Morgan Bell Murphy Bailey Cooper Richardson Cox Howard Peterson Sanders Watson
            Brooks Bennett Jenkins Perry Powell Patterson Hughes Foster Simmons Griffin Hayes Ford Hamilton Graham
            Sullivan Woods Cole West Owens Reynolds Fisher Harrison Gibson Mcdonald Marshall Murray Freeman Wells
            Stevens Hunter Tucker Porter Crawford Boyd Mason Kennedy Warren Dixon Burns Gordon Shaw Holmes Palmer
            Wagner Hansen Fields Tan Li Lee Chan Wong Kim Patel Singh Santos Cruz Bautista Montoya Rodney Ruther
            Boarden Alanso Fong Dexter Doubtfire Lincoln Sylvester Faraday Bird Gutierrez Sanchez Ramirez"""),
        _set("president"),
        before=_set("""
            mr. mrs. ms. dr. mr mrs ms dr miss farmer professor doctor coach officer principal"""),
        after=_ANY,
    ),
    Kind(
        "fruit",
        _members("""
            apple orange banana pear peach/peaches plum mango/mangoes apricot strawberry/strawberries
            blueberry/blueberries raspberry/raspberries cherry/cherries grape kiwi fig papaya nectarine tangerine"""),
        _set("""
            juice pie tree orchard slice peel seed weigh vine bunch cluster candy candied ape baboon rodent <cattle>
            cider jam smoothie <drink> salad cake bush pit core carat toffee picking farm pick picks picked stuffed
            cream quart pint liter cup <sweet> <colour> <animal> <pet> flavor gum allergic <device> grow grows scent
            fall fell bite handful jar sack harvested pickers drum doctor"""),
    ),
    Kind(
        "vegetable",
        _members("""
            carrot cucumber onion tomato/tomatoes potato/potatoes zucchini cabbage beet radish/radishes eggplant
            turnip pumpkin"""),
        _set("""
            browns mashed chips fries baked sauce ketchup peel seed <cattle> <pet> juice soup slice salad pie sweet
            patch vine <fruit> hot stem carve halloween french calorie <colour> stick baby ring row pickle basil eat
            eats eating ate pick picked picks pickers"""),
    ),
    Kind(
        "flower",
        _members(
            """
            rose tulip daisy/daisies daffodil carnation lily/lilies orchid sunflower dahlia violet peony/peonies"""
        ),
        _set("""
            seed thorn petal <colour> pad bulb valentine bush stem height tall water price rise"""),
    ),
    Kind(
        "sweet",
        _members("""
            cookie cupcake muffin brownie donut doughnut croissant scone tart macaron eclair"""),
        _set(
            """
            chip dough slice jar scout monster oven frosting icing glaze cream cutter batter hole sandwich""",
            _FOOD,
        ),
    ),
    Kind(
        "candy",
        _members("lollipop gumball caramel jellybean gumdrop jawbreaker"),
        _set("machine chew calorie sauce stick <fruit> jelly bean"),
    ),
    Kind(
        "toy",
        _members("marble sticker stamp bead seashell pebble"),
        _set("""
            mail letter envelope postage beach ocean sea shore necklace bracelet earring jewelry <clothing> sew sewn
            hole helium air inflate pop popped float path river lake stone hair gift wrap sheet album foreign press
            push statue floor block string foot feet inch yard meter heavy weigh burst pops blow pirate book page
            teacher reward decorate card"""),
        before=_NOUN | _set("<colour>"),
    ),
    Kind(
        "stationery",
        _members("pen pencil eraser crayon marker notebook ruler folder highlighter"),
        _set("""
            page write wrote writes writing draw drew drawing sharpen sharpener ink sheet paper color coloring colors
            wax pal inch centimeter long length <cattle> cattle farm rub line <device> hour"""),
        before=_NOUN | _set("<colour>"),
    ),
    Kind(
        "clothing",
        _members("shirt hat jacket sweater scarf/scarves hoodie cap"),
        _set("""
            collar sleeve <toy> hood winter summer cold warm bottle head tie knit knitted yarn wool pocket sport life
            hard rain paint wear wears fur <sport> size floral suit fabric sew sews"""),
        before=_NOUN | _set("<colour>"),
    ),
    Kind(
        "footwear",
        _members("shoes= boots= sandals= sneakers= slippers="),
        _set("""
            run running race hike heel size fit tennis lace cleat toe hole brand wash laundry foot feet wear water"""),
        before=_NOUN | _set("<colour>"),
    ),
    Kind(
        "pet",
        _members("dog cat rabbit hamster parrot"),
        _set(
            """
            leash bark puppy puppies kitten litter meow purr tail paw collar spot treat bone kennel shelter walk walks
            walked walking chase chased mouse mice sausage catch caught fetch hunt bite train trained sleep groom toy
            toys vet tree bath bathe bird fish cage hot park <cattle> farm rock wing fly <vegetable> year old older
            age adopt allergic run ran sled race show guide time toilet beds clean wash talk stuffed""",
            _BEAST,
        ),
        before=_NOUN | _set("pet"),
    ),
    Kind(
        "cattle",
        _members("cow goat pig horse donkey llama"),
        _set(
            """
            ride rode race horn gallon liter cart carriage stable barn saddle hoof beef pork meat ham bacon piggy
            cheese graze grass beach guinea produce calf calves piglet dairy polo <vegetable> <stationery> shoe gram
            butcher slaughter spot pull plow rider win riding reindeer <fruit> oat bite apiece""",
            _BEAST,
        ),
    ),
    Kind(
        "animal",
        _members("""
            lion tiger elephant giraffe zebra monkey bear gorilla kangaroo hippo rhino camel leopard"""),
        _set(
            """
            neck trunk stripe mane cub roar hump <fruit> jump tree climb ape fast speed run swing pouch horn tusk spot
            hunt sea mountain teddy bar polar grizzly koala panda chicago pride cage chimpanzee baby stuffed hour ride
            head desert""",
            _BEAST,
        ),
    ),
    Kind(
        "vehicle",
        _members("car truck van"),
        _set("""
            wheel tire passenger seat stop race garage lease load box weigh weight cargo ton gallon gas fuel mpg
            deliver delivery ticket people student kid kids child children school ice cream food door wash tow bumper
            train ride rides
            rode license parking engine model electric automatic manual hood trunk racing bike bus fare driver park
            remote bridge pounds walk walking plane fire tank ferry dealer dealership depot oil mechanic repair
            insurance pet moving hand speeding police mountain track toll camper sports luxury collection pile bed"""),
        before=_NOUN | _set("toy <colour> rent rents rented"),
    ),
    Kind(
        "sport",
        _members("""
            football= basketball= soccer= volleyball= baseball= hockey= softball= rugby= lacrosse="""),
        _set("""
            goal touchdown inning hole hoop racket racquet bat pitch player point quarter half field court stadium net
            shoe ball coach helmet score scored scores basket ice glove yard kick hit hits world superbowl cup member
            tournament puck card camp season five eleven rebound three free match league tall height foot feet cleat
            watch watches average position jersey minute <child> offense jump sport"""),
        before=_set(
            _FUNCTION + " play plays played playing prefer prefers like likes likes watch "
            "watches join joined school enjoy enjoys"
        ),
        after=_set("team teams game games practice") | _SINGULAR,
        bare=True,
    ),
    Kind(
        "subject",
        _members("math= history= science= geography= biology= chemistry= physics="),
        _set("""
            problem problems equation calculator museum word words country lab fair essay experiment speak language
            play center natural paint concert band instrument song arts social novel fiction gallery american
            translate english spanish french german chinese <device> supplies teaches project rate write writing"""),
        before=_set(_FUNCTION + " his her learn study studies studied studying final school"),
        after=_SINGULAR
        | _set("""
            class classes teacher teachers test tests homework textbook textbooks exam exams quiz quizzes club clubs
            lesson lessons"""),
        bare=True,
    ),
    Kind(
        "gem",
        _members("""
            diamond ruby/rubies emerald sapphire opal pearl topaz/topazes amethyst"""),
        _set("""
            <sport> card ring suit shape necklace oyster carat worth value expensive price cost string bracelet"""),
    ),
    Kind(
        "nut",
        _members("almond walnut peanut cashew pecan hazelnut pistachio"),
        _set(
            """
            butter tree shell allergic allergy squirrel milk brittle jelly <animal> oil bar <sport> <sweet>""",
            _FOOD,
        ),
    ),
    Kind(
        "drink",
        _members("coffee= tea= lemonade= soda="),
        _set("""
            caffeine bean lemon sugar brew ice iced hot bottle mug <shop> <daypart> breakfast creamer bag pot <colour>
            pizza popcorn stand <furniture> <sweet> sip spoon milk stain movie burger sandwich drinkers instant grind
            packet pack water leaf leaves alcohol case city bubble flavor pop <child> syrup"""),
        bare=True,
    ),
    Kind(
        "furniture",
        _members("""
            chair table desk sofa couch/couches dresser bookshelf/bookshelves bookcase stool"""),
        _set("""
            leg seat sit sits sitting sat around guest dinner people person row restaurant place plates tennis pool
            top wheel baby babies water book bed classroom student light bulb eat served reserve reserved lay party
            cloth paint drawer stack wide foot feet long wood lumber multiplication plate food buffet time bake lift
            set office folding occupied box tip donate fit"""),
    ),
    Kind(
        "instrument",
        _members("guitar piano violin flute drum trumpet clarinet cello saxophone"),
        _set("""
            string key kit drummer beat practice lesson hour hit oil stick chicken mover lift heavy play plays tune"""),
    ),
    Kind(
        "device",
        _members("laptop phone tablet computer television"),
        _set("""
            app call text data charge charged screen plan battery type program code number message minute <furniture>
            booth game paper picture photo ink video film watch watches download percent cell smart home second
            contact lens pill medicine stone desktop channel cover case insurance person"""),
    ),
    Kind(
        "daypart",
        _members("morning afternoon evening"),
        _set("""
            breakfast lunch dinner supper am pm a.m p.m noon midnight night nighttime sun sunrise sunset dark wake
            wakes woke bed school next good sleep sleeps class work shift jog dawn dusk midday <drink> early late
            before after until newspaper dew milk clock o'clock alarm then end checkout <vehicle> later"""),
        before=_set("the each every one <weekday> in"),
        rows=((0, 3),),
    ),
    Kind(
        "shop",
        _members("store shop"),
        _set(
            """
            mall market supermarket sales shopkeeper repair room storage department data power general"""
            "closet hold retail"
        ),
        before=_set("a the this that one each another"),
    ),
    # No detail, but as arbitrary, and where nothing else is there the only thing to tell a leak by.
    Kind(
        "altogether",
        _members("altogether= in_total= in_all="),
        frozenset(),
        before=_ANY,
        after=_set("? , . does do did will are on throughout after"),
        bare=True,
    ),
    Kind(
        "container",
        _members("box/boxes bag basket crate"),
        _set("""
            chip rice flour cement soil seed egg cereal pizza crayon <stationery> <drink> sand trash garbage lunch
            mail mailbox tool music gift school punch hand feed hay fertilizer dog food popcorn laundry <sport> wheat
            onion <vegetable> <pet> groceries grocery tissue match matches chocolate chocolates container wrap weave
            woven picnic shelf stack stacked <vehicle> bread penguin design designer leather purse jewelry pack packs
            jar carton milk flower <flower> <footwear> discount plastic juice diapers salt sugar potato charcoal truck
            ship shipping pounds paper gum truffles ice wash contact single m tile"""),
        anchors=_set("of with contain contains contained has had hold holds"),
        before=_NOUN | _set("<colour>"),
    ),
    Kind(
        "settlement",
        _members("town city/cities village"),
        _set("""
            mile kilometer population home inhabitant capital train plane flight fly hall council bus subway
            skyscraper york <city> <country> country state farm fair santa apartment street taxi mayor center trip
            townspeople"""),
        before=_set("""
            the a this that certain local another each in of small first second third different these"""),
    ),
    Kind(
        "staff",
        _members("employee worker"),
        _set("""
            bee union social co construction field volunteer farm strike boss honey migrant plantation"""),
    ),
    Kind(
        "firm",
        _members("company/companies business/businesses"),
        _set("""
            insurance sister card bus theatre theater dance phone cable law started start small busy lawn news men
            mind stock share trip keep partner <pet> walk care"""),
        before=_set("a the this that certain each one two three another his her"),
        after=_SINGULAR - _set("of for on"),
    ),
    Kind(
        "meal",
        _members("lunch= dinner="),
        _set("""
            breakfast supper school box break noon pm am morning night evening afternoon <daypart> work cafeteria
            sandwich steak party <furniture> snack bag after before hour day daily pizza wine guest restaurant money
            packed pack lady plate hotel thanksgiving christmas served time roll week"""),
        before=_set("for at to on and eat eats ate have had buy buys"),
        bare=True,
    ),
    Kind("mother", _members("mom mother"), _set("<father> day law bird hen cat dog duck baby babies earth god mammal")),
    Kind("father", _members("dad father"), _set("<mother> day law grandfather")),
    Kind(
        "bicycle",
        _members("bike bicycle"),
        _set("""
            tricycle motor mountain dirt stationary exercise unicycle shop inflation"""),
        before=_NOUN | _set("<colour> ride rides rode his her"),
    ),
    Kind(
        "city",
        _members("""
            London= Paris= Boston= Chicago= Seattle= Houston= Dallas= Denver= Philadelphia= Atlanta= Miami= Toronto=
            Berlin= Madrid= Rome= Vienna= Tokyo= Portland= Detroit= Baltimore= Milwaukee= Manila= Lagos= Nairobi="""),
        _set("""
            mile kilometer km distance fly flies flight flew plane train airport language english dollar euro currency
            capital population people time zone state country countries mph speed drive drives driving bridge far
            temperature degree tower museum river snow marathon hour map <vehicle> north south east west coast team
            game world rain trip <country>"""),
        before=_IN,
    ),
    Kind(
        "country",
        _members("""
            France= Germany= Italy= Spain= Japan= China= Brazil= Mexico= Canada= India= Egypt= Kenya= Peru= Chile=
            Portugal= Greece= Sweden= Norway= Poland= Australia= Argentina= Thailand= Vietnam="""),
        _set("""
            mile kilometer km distance fly flight flew plane train airport language english spanish french german
            dollar euro currency capital population people time zone state city cities continent border area medal war
            president king queen island north south east west square size world <subject> olympic temperature <toy>
            expedition land exchange rate gdp"""),
        before=_IN,
    ),
)


class Form(NamedTuple):
    """What a word is the form of.

    Parameters
    ----------
    kind : Kind
        The class.
    member : int
        Which of its members.
    plural : bool
        Whether it is the plural.
    """

    kind: Kind
    member: int
    plural: bool


def _forms(kinds: Iterable[Kind]) -> dict[str, Form]:
    forms: dict[str, Form] = {}
    for kind in kinds:
        for member, (one, several) in enumerate(kind.members):
            forms[several] = Form(kind, member, True)
            forms[one] = Form(kind, member, False)
    return forms


_NAMES = {form: f"<{of.kind.name}>" for form, of in _forms(_WRITTEN).items()}


def _by_class(words: Iterable[str]) -> frozenset[str]:
    """Name the classes of all members among the words: a rule must hold for all members of a class alike."""
    return frozenset(_NAMES.get(word, word) for word in words)


KINDS = tuple(
    replace(
        kind,
        guards=_by_class(kind.guards) - {f"<{kind.name}>"},
        before=_by_class(kind.before),
        after=_by_class(kind.after),
        anchors=_by_class(kind.anchors),
    )
    for kind in _WRITTEN
)
"""Every class, each with a name of its own."""

FORMS = _forms(KINDS)
"""What each word is, of those that belong to a class."""

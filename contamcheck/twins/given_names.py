"""Given names that are common in English text, by whom they are mostly given to, and the words that tell persons.

Neither months (April, May, June, August) nor names that bring one famous person to mind: either stands for something
else too often. Names of both genders that lean clearly to one side are listed on that side.
"""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


FEMALE = _set(
    """
    Abby Abigail Ada Addison Adriana Adrianna Agnes Aileen Aisha Alana Alejandra Alexa Alexandra Alexandria Alexis Alice
    Alicia Alina Alisha Alison Alissa Allie Allison Alma Alyssa Amanda Amara Amber Amelia Amy Ana Anastasia Andrea
    Angela Angelica Angelina Angie Anita Ann Anna Annabelle Anne Annette Annie Antonia Anya Arabella Ariana Arianna
    Ariella Arlene Ashley Ashlyn Athena Aubrey Audrey Aurora Autumn Ava Ayesha Barbara Beatrice Becca Becky Belinda
    Bella Bernadette Bernice Bertha Beth Bethany Betsy Betty Beverly Bianca Bonnie Brenda Brianna Bridget Brittany
    Brooke Brooklyn Caitlin Camila Camille Candace Candice Cara Carla Carly Carmen Carol Carole Caroline Carolyn Carrie
    Cassandra Cassidy Cassie Catherine Cathy Cecilia Celeste Celia Charlene Charlotte Chelsea Cheryl Chloe Christina
    Christine Christy Cindy Claire Clara Clarissa Claudia Colleen Connie Constance Cora Cordelia Courtney Crystal
    Cynthia Daisy Daniela Danielle Daphne Darla Darlene Dawn Deanna Debbie Deborah Debra Deirdre Delia Delilah Denise
    Diana Diane Dianne Dolores Donna Dora Doreen Doris Dorothy Edith Eileen Elaine Eleanor Elena Elisa Elisabeth Elise
    Eliza Elizabeth Ella Ellen Ellie Elly Eloise Elsa Elsie Emilia Emily Emma Erica Erika Erin Esmeralda Estelle Esther
    Ethel Eva Eve Evelyn Faith Fatima Faye Felicia Fern Fiona Flora Florence Frances Francesca Francine Freda Gabby
    Gabriela Gabrielle Gail Gemma Genevieve Georgia Georgina Geraldine Gertrude Gina Ginger Ginny Giselle Gladys Gloria
    Grace Greta Gretchen Gwen Gwendolyn Hailey Haley Hannah Harmony Harper Harriet Hazel Heather Heidi Helen Helena
    Henrietta Hilary Holly Hope Ida Imogen Ines Ingrid Irene Iris Irma Isabel Isabella Isabelle Ivy Jacqueline Jade Jane
    Janelle Janet Janice Janie Janine Jasmine Jean Jeanette Jeanne Jeannie Jen Jenn Jenna Jennie Jennifer Jenny Jessica
    Jill Jillian Joan Joanna Joanne Jocelyn Jodi Jodie Johanna Jolene Josephine Josie Joy Joyce Juanita Judith Judy
    Julia Juliana Julianna Julie Juliet Julieta Kaitlyn Kara Karen Karina Karla Katarina Kate Katelyn Katherine Kathie
    Kathleen Kathryn Kathy Katie Katrina Katy Kayla Keira Keisha Kelley Kelly Kelsey Kendra Kiara Kimberly Kira Kirsten
    Kirsty Krista Kristen Kristin Kristina Kristy Kylie Lana Lara Latoya Laura Lauren Laurie Layla Leah Leila Leilani
    Lena Lenora Leona Lexi Libby Lidia Lila Lillian Lily Linda Lindsay Lindsey Lisa Liz Liza Lois Lola Lorena Loretta
    Lori Lorraine Lottie Louise Lucia Lucille Lucinda Lucy Luisa Luna Lupe Lydia Lynn Mabel Mackenzie Maddie Maddy
    Madeleine Madeline Madison Magdalena Maggie Maisie Mallory Mandy Mara Marcia Marcy Margaret Margarita Marge Margie
    Maria Mariah Mariana Marianne Marie Marilyn Marina Marisa Marisol Marissa Marjorie Marla Marlene Marnie Marsha Marta
    Martha Martina Mary Matilda Maureen Maxine Maya Megan Meghan Mei Melanie Melinda Melissa Melody Meredith Mia
    Michelle Mildred Millie Milly Mindy Miranda Miriam Mollie Molly Mona Monica Monique Myra Nadia Nadine Nancy Naomi
    Natalia Natalie Natasha Nell Nellie Nelly Nicole Nina Noelle Noemi Nora Norah Norma Octavia Olga Olive Olivia Opal
    Ophelia Paige Paloma Pam Pamela Pansy Patricia Patty Paula Pauline Pearl Peggy Penelope Penny Petunia Phoebe Phyllis
    Polly Poppy Priscilla Priya Rachel Rebecca Regina Renee Rhoda Rhonda Rita Roberta Robyn Rocio Rosa Rosalie Rosalind
    Rose Rosemary Rosie Roxanne Ruby Ruth Sabrina Sadie Sally Samantha Sandra Sandy Sara Sarah Savannah Scarlett Selena
    Serena Shanice Shannon Sharon Shauna Shawna Sheila Shelby Shelly Sherry Shirley Sierra Silvia Simone Skye Sofia
    Sofie Sonia Sonya Sophia Sophie Sophy Stacey Stacy Stella Stephanie Sue Summer Susan Susana Susie Suzanne Suzie Suzy
    Svetlana Sydney Sylvia Sylvie Tabitha Talia Tamara Tamika Tammy Tania Tanya Tara Tasha Tatiana Teresa Tess Tessa
    Thea Thelma Theresa Tiffany Tilly Tina Tonya Tracy Tricia Trish Trisha Trixie Trudy Uma Ursula Valentina Valerie
    Vanessa Verna Veronica Vicki Vicky Victoria Viola Violet Virginia Vivian Wanda Wendi Wendy Whitney Willow Wilma
    Winifred Yara Yolanda Yvette Yvonne Zara Zoe Zoey
    """
)

MALE = _set(
    """
    Aaron Abdul Abe Abel Abraham Adam Adrian Ahmed Aidan Aiden Alan Albert Alberto Alec Alejandro Alexander Alfonso
    Alfred Ali Allan Allen Alvin Amir Amos Anderson Andre Andrew Andy Angus Anthony Antoine Antonio Archie Arjun Armando
    Arnold Arthur Artie Arturo Asher Austin Axel Barney Barry Bart Basil Ben Benjamin Bennet Bennett Benny Bernard
    Bernie Bert Bill Billy Blake Bob Bobby Boris Brad Bradley Brady Brandon Brendan Brennan Brent Brett Brian Brody
    Bruce Bruno Bryan Bryce Burt Byron Caleb Calvin Cameron Carl Carlos Carlton Carson Carter Cecil Cedric Cesar Chad
    Charles Charlie Chase Chester Chris Christian Christopher Chuck Clarence Clark Claude Clay Clayton Cliff Clifford
    Clifton Clint Clive Clyde Cody Colby Cole Colin Conner Connor Conor Conrad Cooper Corey Cory Craig Curt Curtis Cyrus
    Dale Damian Damien Damon Dan Daniel Danny Dante Darius Darnell Darrell Darren Darryl Dave David Dean Dennis Derek
    Derrick Desmond Dexter Diego Dimitri Dirk Dominic Dominick Don Donnie Donny Donovan Doug Douglas Drew Duane Duncan
    Dustin Dwayne Dwight Dylan Earl Ed Eddie Edgar Edmund Eduardo Edward Edwin Eli Elias Elijah Elliot Elliott Ellis
    Elmer Emanuel Emil Emilio Emmett Enrique Enzo Eric Erik Ernest Ernie Ethan Eugene Evan Everett Fabian Fabio Felipe
    Felix Ferdinand Fernando Finn Floyd Francis Francisco Frank Franklin Fred Freddie Freddy Frederick Gabe Gabriel
    Garrett Gary Gavin Gene Geoffrey George Gerald Gerard Gilbert Giovanni Glen Glenn Gordon Graham Grant Grayson Greg
    Gregory Guillermo Gunther Gus Gustavo Guy Hamza Hank Hans Harold Harrison Harry Harvey Hassan Hector Henry Herbert
    Herman Howard Howie Hubert Hugh Hugo Hunter Ian Ibrahim Ignacio Igor Isaac Isaiah Ivan Jack Jackson Jacob Jaden Jake
    Jamal James Jared Jason Jasper Javier Jay Jayden Jed Jeff Jeffrey Jeremiah Jeremy Jermaine Jerome Jerry Jim Jimmy
    Joaquin Joe Joel Joey John Johnny Jon Jonah Jonas Jonathan Jorge Jose Joseph Josh Joshua Juan Jude Julian Julio
    Julius Justin Kaiden Kareem Karl Keegan Keenan Keith Ken Kenneth Kenny Kent Kevin Kirk Kurt Kyle Lamar Lance Larry
    Lars Lawrence Leo Leon Leonard Leroy Lester Levi Lewis Liam Lincoln Lionel Lloyd Logan Lorenzo Louie Louis Lucas
    Luis Luke Lyle Malcolm Malik Manny Manuel Marc Marcel Marco Marcus Mario Marion Mark Marshall Martin Marty Marvin
    Mason Mateo Mathew Matt Matteo Matthew Maurice Max Maxwell Melvin Micah Michael Miguel Mike Miles Milo Milton Mitch
    Mitchell Mohamed Mohammed Monty Morris Nate Nathan Nathaniel Ned Neil Nelson Nicholas Nick Nico Nicolas Nigel Noah
    Norman Oliver Omar Orlando Oscar Otis Otto Owen Pablo Parker Patrick Paul Pedro Percy Perry Pete Peter Phil Philip
    Phillip Pierre Preston Quincy Quinton Rafael Raj Ralph Ramon Randall Randy Raphael Rashid Raul Ravi Ray Raymond
    Reggie Reginald Rex Ricardo Richard Rick Ricky Rob Robert Roberto Rod Roderick Rodney Rodrigo Roger Rohan Roland
    Roman Ron Ronald Ronnie Rory Ross Roy Ruben Rudy Rufus Rupert Russ Russell Ryan Sam Sammy Samuel Sanjay Santiago
    Saul Scott Sean Sebastian Seth Seymour Shane Shaun Shawn Sheldon Sherman Sid Sidney Silas Simon Solomon Spencer Stan
    Stanley Stefan Stephen Steve Steven Stewart Stuart Sylvester Ted Teddy Terrance Terrence Theo Theodore Thomas Tim
    Timmy Timothy Tobias Toby Todd Tom Tomas Tommy Tony Topher Travis Trent Trevor Trey Tristan Troy Tucker Tyler Tyrone
    Tyson Victor Vince Vincent Vinny Wade Wallace Walt Walter Warren Wayne Wes Wesley Wilbur Wilfred Will William Willie
    Winston Wyatt Xavier Yuri Yusuf Zachary Zack Zaid Zane
    """
)

UNISEX = _set(
    """
    Alex Angel Ariel Avery Bailey Billie Casey Dakota Dana Devin Devon Dominique Emerson Finley Frankie Harley Hayden
    Jackie Jaime Jamie Jess Jesse Jessie Jo Jody Jordan Jules Kai Kendall Kerry Kim Kris Lee Leslie Morgan Nicky Noel
    Pat Peyton Quinn Reese Riley Robbie Robin Rowan Sage Sasha Skyler Sunny Tatum Taylor Terry Toni Tracey Val
    """
)

# Words, places and brands as well: a capital alone doesn't make them names.
AMBIGUOUS = _set(
    """
    Amber Angel Ariel Aurora Austin Autumn Bailey Basil Bill Brooklyn Carson Carter Chad Charlotte Chase Chelsea
    Christian Clay Cliff Clifton Clint Cooper Crystal Daisy Dakota Dale Dawn Dean Devon Dolores Drew Earl Eve Faith
    Florence Francis Frank Franklin Gene Georgia Ginger Grace Grant Guy Harley Harper Harrison Hazel Heather Holly Hope
    Hunter Iris Ivy Jackson Jade Jay Jean Jordan Joy Lee Lily Lincoln Madison Marina Mark Marshall Max Melody Miles Noel
    Olive Opal Orlando Pansy Patty Pearl Penny Petunia Poppy Ray Rob Robin Rod Roman Rose Rowan Ruby Sage Santiago
    Savannah Sierra Skye Sue Summer Sunny Sydney Troy Victoria Violet Virginia Wade Wallace Warren Will Willow
    """
)

# Never persons, however they stand.
NO_NAMES = _set(
    """
    January February March April May June July August September October November December Monday Tuesday Wednesday
    Thursday Friday Saturday Sunday Christmas Easter Halloween Hanukkah Thanksgiving Valentine Ramadan Diwali English
    French German Spanish Italian Chinese Japanese Russian Latin Greek Arabic Hindi Korean Portuguese Math Maths Science
    History Geography Biology Chemistry Physics Algebra Earth Mars Venus Jupiter Saturn Neptune Uranus Pluto Mercury
    Moon Sun God Lord Santa Rudolph Elvis Barbie Mulan Naruto Anakin Batman Superman Spiderman Shrek Pikachu Pokemon
    Lego Facebook Google Amazon Netflix Disney Walmart Target Costco Ikea Apple Microsoft Tesla Ford Toyota Honda Nike
    Adidas Uber Twitter Instagram Youtube Reddit Starbucks Subway Texas Alaska California Florida Hawaii Colorado Ohio
    Oregon Utah Nevada Kansas Chicago Boston Seattle Denver Houston Dallas Miami Atlanta London Paris Berlin Rome Madrid
    Tokyo Africa America Asia Europe Australia Canada China India Japan Germany France Italy Spain Mexico Brazil Russia
    England Scotland Ireland Egypt Kenya Nigeria Mom Mommy Dad Daddy Papa Mama Grandma Grandpa Granny Grandmother
    Grandfather Mother Father Teacher Coach Farmer Doctor Captain President King Queen Prince Princess Mr Mrs Ms Dr Sir
    Miss Professor Officer Jesus Moses Hercules Zeus Internet Everyone Someone Nobody Anyone Rover Fido Another It Its
    This These Those All None Most Many Some Any Neither Either Something Nothing Everything Other Others Two Three Four
    Five Six Seven Eight Nine Ten Half Twice Dinner Lunch Breakfast Water School Work Gas Food Traffic Rent Sugar Milk
    Bread Time Money
    """
)

# What tells persons and their genders, beside the names.
PRONOUNS = dict.fromkeys(_set("he him his himself"), "m") | dict.fromkeys(_set("she her hers herself"), "f")
KIN = dict.fromkeys(
    _set("""brother father dad daddy husband son uncle grandfather grandpa nephew boyfriend boy man king prince mr sir
    grandson stepfather gentleman brothers sons boys men uncles"""),
    "m",
) | dict.fromkeys(
    _set("""sister mother mom mum wife daughter aunt auntie grandmother grandma granny niece girlfriend girl woman lady
    queen princess mrs ms miss granddaughter stepmother waitress sisters daughters girls women ladies aunts"""),
    "f",
)
VERBS = _set(
    """
    adds ate baked bakes bought builds built buys can charges collected collects cooks could cut cuts decided decides
    did does drank drinks drives drove earned earns eats found gave gets gives goes got grows had has hikes invited is
    jogs just keeps knows likes lives lost loves made makes needed needs orders ordered owns paid paints pays picked
    picks planted plants played plays puts ran read reads received runs saved saves sells sold spends spent started
    starts swims takes took thinks travels tries typed uses walked walks wanted wants was washes watches went works
    worked writes wrote
    """
)
# The verbs that things have as well, so that they don't make an unknown word a name.
LOOSE_VERBS = _set(
    "can charges could did does gets goes got grows had is just keeps lost made makes needed needs runs takes took was"
)
# Capitals of these say nothing on the word beside them.
OPENERS = _set(
    """
    After Although And Are As Assume Assuming At Aunt Auntie Because Before Both But By Can Could Currently Did Do Does
    During Each Even Every Finally First For From Given Grandma Grandpa Granny Had Has Have He Her His How I If In Is
    Last Later Let Meanwhile My Next Now Of On Once One Only Or Originally Our She Should Since So Sometimes Suppose
    That Then Their Therefore There They Though Thus To Today Together Tomorrow Tonight Uncle Unless Until Was We Were
    What When Whenever Where Which While Who Why Will With Would Yesterday Yet You Your Monday Tuesday Wednesday
    Thursday Friday Saturday Sunday
    """
)
TITLES = _set("mr mrs ms dr st prof mt sr jr capt sgt lt col gen rev hon messrs vs")
PLACING = _set("in at near on into onto inside outside across around through via visit visits visited")
SOURCES = _set("from to of")
ARTICLES = _set("a an the")
FRIENDS = _set("friend friends cousin classmate neighbor neighbour coworker named")
# A name after these isn't a person's.
THINGS = _set(
    """
    dog dogs puppy cat cats kitten horse pony cow bull parrot hamster rabbit goat pig goldfish turtle pet pets river
    lake mount mountain street road city town village island county state hurricane company brand store team planet
    """
)
# Where one of these is, letters may matter.
SPELLING = _set(
    "letters vowel vowels consonant consonants initials spell spells spelled spelling alphabetical rhyme palindrome"
)

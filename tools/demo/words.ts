/** One question of a reader and what Mara's desk answers: the small change of every chat. */
export type Exchange = readonly [asks: string, answers: string];

/** Whoever reads several chats should not meet the same words twice in one of them. */
export const exchanges: readonly Exchange[] = [
  [
    'Is there a signed edition of The Keeper’s Lamp left?',
    'Two shelves of them, at the harbour bookshop. They post abroad too.',
  ],
  [
    'I finished it on the train and missed my stop.',
    'The best compliment a book can get. Did you walk home?',
  ],
  [
    'Which of the three should I read first?',
    'Start with The Keeper’s Lamp. The other two know more than it does.',
  ],
  [
    'Will there be a German translation of the essays?',
    'It is with the translator now. Spring, if the commas behave.',
  ],
  [
    'My book club meets on Thursday. Any question you would like us to ask?',
    'Ask who was lying on page 40. There will be shouting.',
  ],
  ['Was the island in chapter two a real one?', 'Half of it. The good half I made up.'],
  ['How long did the last chapter take?', 'One evening, after eleven months of not writing it.'],
  [
    'Could you say hello to my grandmother? She turns 90.',
    'With pleasure. What is her name, and does she prefer lighthouses or ships?',
  ],
  [
    'Her name is Edith and it is ships, always ships.',
    'Then: fair winds, Edith, and ninety candles at the bow.',
  ],
  ['Is the audiobook read by you?', 'By Sofia Brandt. She found a voice for the storm that I never had.'],
  ['Do you answer these yourself?', 'Mara’s desk answers with her. The hard ones wait for her coffee.'],
  ['What do you read when you are stuck?', 'Cookbooks. Something always gets finished there.'],
  [
    'I am translating a page for my class. May I share it?',
    'For your class, gladly. Please put the title and the year beside it.',
  ],
  ['Can I bring my dog to the reading in Lyon?', 'Dogs sit in the front row and are asked not to comment.'],
  ['How many seats are left for Saturday?', 'Eleven, as of this morning. Shall we keep one for you?'],
  ['Yes please, two if possible!', 'Two are yours. The door opens at 18:30.'],
  [
    'Is the venue accessible with a wheelchair?',
    'Yes, by the side entrance on Rue des Tables. Somebody will be there from 18:00.',
  ],
  [
    'The map in my copy is upside down. Is that on purpose?',
    'It is a printing error that we have grown fond of. Would you like a straight one?',
  ],
  ['No, I will keep it!', 'Then you own one of about two hundred.'],
  ['Do you have a newsletter?', 'Four letters a year, no more. https://example.org/mara/letters'],
  ['Where can I find the tour dates?', 'All of them are here: https://example.org/mara/tour'],
  [
    'I am writing my first novel. One piece of advice?',
    'Finish the bad version. Nobody can mend an empty page.',
  ],
  ['That helps more than you think.', 'Write again when it has an ending. We mean it.'],
  ['Did the cat in the story survive?', 'The cat outlived everyone, the author included in one draft.'],
  ['My daughter drew the lighthouse for you.', 'Please send it! There is a wall for these.'],
  ['Are you at the book fair this year?', 'Hall 4, stand C 20, Friday from 14:00, with too many pens.'],
  [
    'Could the dedication say “for Ilse, who waited”?',
    'It says so already. It goes out with tomorrow’s post.',
  ],
  ['Thank you for answering so quickly!', 'Thank you for reading so slowly. It is the right speed.'],
  ['Is there a teacher’s guide?', 'A small one, with questions for every chapter. Shall we send it?'],
  [
    'Yes! 24 pupils, all sixteen.',
    'On its way. Tell them that chapter five is allowed to be skipped. Nobody will.',
  ],
  ['What was the working title?', '“The Man Who Would Not Come Down”. The publisher liked lamps better.'],
  ['I read it to my father in hospital.', 'That means a great deal. How is he?'],
  [
    'Better. He wants to know what happens to the boat.',
    'Tell him the boat is fine, and that he has to get well for the rest.',
  ],
  ['Will you come to Lisbon?', 'In May, if the trains agree. You will read it on the tour page first.'],
  ['Which pen do you use?', 'A pencil, 4B, and a great many erasers.'],
  ['Is it true that you threw away 200 pages?', '212. Page 213 was worth it.'],
];

export const openings: readonly string[] = [
  'Hello! Is this really the line to Mara?',
  'Good evening from a rainy Hamburg.',
  'Hi! I got this link at the reading.',
  'Hello, a quick question if I may.',
  'Good morning! I have just finished the book.',
  'Hi Mara, a reader from Porto here.',
];

export const greetings: readonly string[] = [
  'Hello, and welcome. Yes, this is the right seat.',
  'Good to have you here! What would you like to know?',
  'Hello! How can we help?',
  'Welcome! Take a seat and ask away.',
];

export const farewells: readonly Exchange[] = [
  ['That was all. Thank you!', 'Any time. The link stays yours.'],
  ['You made my day. Goodbye!', 'And you ours. Until the next book.'],
  ['👏', '❤️'],
  ['Good night!', 'Good night, and keep a lamp on.'],
];

export const names: readonly string[] = [
  'Clara Jensen',
  'Marek Novák',
  'Beatriz Lopes',
  'Oskar Lund',
  'Priya Raman',
  'Hannah Vogt',
  'Luca Bianchi',
  'Amélie Girard',
  'Noah Fischer',
  'Zofia Nowak',
  'Ibrahim Sayed',
  'Mei Tanaka',
  'Pavel Dvořák',
  'Greta Holm',
  'Samuel Okafor',
  'Elif Demir',
  'Johanna Kraus',
  'Diego Morales',
  'Ingrid Solberg',
  'Anton Becker',
  'Ruth Cohen',
  'Matteo Conti',
  'Chloé Bernard',
  'Viktor Horváth',
  'Nadia Rahman',
  'Finn O’Connor',
  'Marta Kowalska',
  'Jules Petit',
  'Aisha Bello',
  'Erik Nyström',
  'Laura Schmid',
  'Tomoko Sato',
  'Henrik Dahl',
  'Camila Rojas',
  'Emil Sørensen',
  'Julia Weiss',
  'Rafael Silva',
  'Leila Haddad',
  'Simon Keller',
  'Nora Lindgren',
  'Arthur Moreau',
  'Daria Popescu',
  'Ilse Brandner',
  'Kwame Mensah',
  'Sofia Ricci',
  'Jan de Wit',
  'Agnes Varga',
  'Yusuf Kaya',
  'Linnea Berg',
  'Paul Roux',
  'Hiba Saleh',
  'Martin Hofer',
  'Irene Kolb',
  'Bastien Roy',
  'Selma Aydin',
  'Oliver Grant',
  'Katarina Zec',
  'Wim Peeters',
  'Fatou Diallo',
  'George Albu',
];

export const labels: readonly string[] = [
  'Lyon reading',
  'Harbour bookshop',
  'Book fair, hall 4',
  'Letter readers',
  'School visits',
  'Radio evening',
];

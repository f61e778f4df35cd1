import type { DrawingName } from './drawings.ts';

/** Who says it, what, and how many seconds after the line before. */
export type Line = readonly [
  who: 'visitor' | 'owner',
  what: string | { picture: DrawingName },
  after: number,
];

/** A chat that was written by hand, because somebody will look at it. */
export type Story = {
  name: string;
  desk: string;
  label: string;
  /** Minutes from its last line to now: what waits, waits for so long. */
  endedAgo: number;
  lines: readonly Line[];
  /** Notes of the desk, each after so many lines. */
  notes?: readonly (readonly [afterLine: number, text: string])[];
  /** How many of the last lines the desk has not seen yet. */
  unread?: number;
  outcome?: 'closed' | { blocked: string };
  handedTo?: { desk: string; note: string };
};

export const stories: readonly Story[] = [
  {
    name: 'Jonas Weber',
    desk: 'mara-east',
    label: 'Lyon reading',
    endedAgo: 1,
    unread: 1,
    lines: [
      ['visitor', 'Good morning! I teach literature in Lyon and was at the reading.', 0],
      ['owner', 'Hi Jonas! How did the reading land with your class?', 70],
      ['visitor', 'They loved it. Two of them finished the book that night 📚', 95],
      ['visitor', 'Inès (16) asks: does the lighthouse keeper know he’s the narrator?', 40],
      ['owner', 'Tell Inès she’s the first to ask. This is the page where I changed my mind:', 180],
      ['owner', { picture: 'letter' }, 25],
      ['visitor', '😮', 50],
      ['visitor', 'May I read it to them tomorrow?', 30],
    ],
    notes: [[4, 'Mara is happy to answer plot questions, just no spoilers past chapter 9.']],
  },
  {
    name: 'Adaeze Obi',
    desk: 'mara-east',
    label: 'Book fair, hall 4',
    endedAgo: 7,
    unread: 2,
    lines: [
      ['visitor', 'Hello from Berlin!', 0],
      ['owner', 'Hello Adaeze! Good to see you again.', 60],
      ['visitor', 'Is the Berlin date still on?', 220],
      ['visitor', 'I booked the train for the 21st and would hate to miss it.', 20],
    ],
  },
  {
    name: 'Kenji Nakamura',
    desk: 'mara-east',
    label: 'Harbour bookshop',
    endedAgo: 19,
    unread: 1,
    lines: [
      ['visitor', 'はじめまして。京都から書いています。', 0],
      ['owner', 'ようこそ、健司さん。お便りありがとうございます。', 140],
      ['visitor', 'This is the view from my desk while I read:', 300],
      ['visitor', { picture: 'harbour' }, 30],
    ],
  },
  {
    name: 'سارة المنصوري',
    desk: 'mara-east',
    label: 'Letter readers',
    endedAgo: 43,
    lines: [
      ['visitor', 'مرحبا مارا، قرأت كتابك مرتين هذا الأسبوع.', 0],
      ['owner', 'مرحبا سارة! مرتين؟ هذا يسعدنا كثيرا.', 120],
      ['visitor', 'هل ستصدر الطبعة العربية هذا العام؟', 80],
      ['owner', 'نعم، في شهر مارس. سنكتب لك أول الناس.', 150],
      ['visitor', 'شكرا جزيلا 🌙', 40],
      ['owner', 'على الرحب والسعة!', 60],
    ],
  },
  {
    name: 'Tomás Herrera',
    desk: 'mara-east',
    label: 'Book fair, hall 4',
    endedAgo: 128,
    lines: [
      ['visitor', '¿Estarán en la feria el viernes?', 0],
      ['owner', 'Sí, pabellón 4, a partir de las 14:00.', 90],
      ['visitor', 'Perfecto. Llevo tres libros para firmar, ¿es demasiado?', 45],
      ['owner', 'Nunca. ¡Nos vemos en la feria!', 70],
    ],
  },
  {
    name: 'Léa Moreau',
    desk: 'mara-east',
    label: 'Lyon reading',
    endedAgo: 1_460,
    lines: [
      ['visitor', 'Bonsoir ! À quelle page est le passage que vous avez lu à Lyon ?', 0],
      ['owner', 'Bonsoir Léa ! C’est la page 212, deuxième paragraphe.', 200],
      ['visitor', 'Merci mille fois.', 60],
      ['owner', 'Avec plaisir. Bonne lecture !', 50],
    ],
  },
  {
    name: '',
    desk: 'mara-tour',
    label: 'Radio evening',
    endedAgo: 3,
    unread: 1,
    lines: [['visitor', 'Is the radio evening recorded? I only caught the end.', 0]],
  },
  {
    name: 'Miriam Adler',
    desk: 'mara-tour',
    label: 'School visits',
    endedAgo: 11,
    unread: 2,
    lines: [
      ['visitor', 'שלום! אנחנו קוראים את הספר בכיתה י׳.', 0],
      ['owner', 'שלום מרים! איזה יופי, ספרי לנו.', 130],
      ['visitor', 'התלמידים ציירו את המגדלור:', 90],
      ['visitor', { picture: 'lighthouse' }, 25],
    ],
  },
  {
    name: 'Ravi Patel',
    desk: 'mara-press',
    label: 'Radio evening',
    endedAgo: 64,
    unread: 1,
    lines: [
      ['visitor', 'I am with a small radio station in Leicester. Ten minutes with Mara, any evening?', 0],
      ['owner', 'Thank you, Ravi. Which evening suits you, and is it live?', 600],
      ['visitor', 'Live, Tuesday at 20:00. We would call her.', 240],
    ],
    notes: [[3, 'Asked Mara. She can on Tuesday, but wants the questions the day before.']],
  },
  {
    name: 'Olga Marchenko',
    desk: 'mara-tour',
    label: 'Lyon reading',
    endedAgo: 300,
    handedTo: { desk: 'mara-press', note: 'Wants to quote two pages in a review. Yours, I think.' },
    lines: [
      ['visitor', 'May I quote two pages in a review?', 0],
      ['owner', 'For whom is it? I will ask my colleague, who knows the rules.', 150],
      ['visitor', 'A student paper, 600 copies.', 60],
      ['owner', 'That sounds fine. Somebody writes to you today.', 90],
    ],
  },
  {
    name: 'Peter Lang',
    desk: 'mara-night',
    label: 'Letter readers',
    endedAgo: 700,
    outcome: 'closed',
    lines: [
      ['visitor', 'Cannot sleep, so I read. Whose idea was chapter seven?', 0],
      ['owner', 'The storm’s. It would not stop. Sleep well, Peter.', 240],
    ],
  },
  {
    name: 'Best Offers',
    desk: 'mara-tour',
    label: 'Radio evening',
    endedAgo: 2_900,
    outcome: { blocked: 'Advertises, does not answer questions' },
    lines: [
      ['visitor', 'BUY FOLLOWERS NOW, first 1000 free!!!', 0],
      ['owner', 'This is a line for readers. Please stop.', 300],
      ['visitor', 'LAST CHANCE!!! 1000 FREE!!!', 40],
    ],
  },
];

import { useId } from 'react';
import styles from './SetteeDrawing.module.css';

const BODY =
  'M57.5 104.5C56.5 90 56.5 79 61 73.5 63.5 70.3 67.5 69 71.5 69 78.5 69 83 73 84.5 80 85.4 84.5 86 89 86.5 92.5 91.5 92.5 95.5 95 95.3 100L94 150.5H85L86 105.5H61C58.5 105.5 57.6 105.8 57.5 104.5Z';
const CUP = 'M86.5 71.5H95V77a3 3 0 0 1-3 3H89.5a3 3 0 0 1-3-3Z';
const SHADE =
  'M197 38.5h16c.8 0 1.5.5 1.7 1.3l6.9 23.6c.4 1.3-.6 2.6-1.9 2.6h-29.4c-1.3 0-2.3-1.3-1.9-2.6l6.9-23.6c.2-.8.9-1.3 1.7-1.3Z';

/** Left and right seat, and details of each person. */
const people = {
  left: {
    transform: 'translate(-4.5 0)',
    lines: ['M69 81C69.5 88 71 92 76 92.5L84 93'],
    hair: 'M62.6 60C60 52 62.5 43.2 72.5 43.2 79.5 43.2 82.8 48 82.3 52.2 78.5 52.2 75.8 50.5 74.3 48.3 73.8 51.5 72.3 54.3 70.3 55.7 69.8 58.5 69.9 61.3 70.6 65 66.5 65.2 63.8 63.5 62.6 60Z',
  },
  right: {
    transform: 'matrix(-1 0 0 1 204.5 0)',
    lines: ['M69 81C70 90 74 94 80 90L89 80', CUP],
    hair: 'M63.3 55.5C61.5 49 65 43.3 72.6 43.3 79 43.3 82.6 47 82.2 51.3 78 52 73 51 70.8 49.3 70.3 52 68.6 54.6 66.8 55.3 66 56 65.8 57.2 66 58.5 64.8 58 63.8 57 63.3 55.5Z',
  },
};

type SetteeDrawingProps = {
  /** empty: nobody, lamp off. one: a visitor waits, lamp dim. host: only the host, lamp on. two: both. */
  seats: 'empty' | 'one' | 'host' | 'two';
  /** CSS pixels, at least 80. */
  width?: number;
};

/** The brand drawing. Decorative: the heading says the same. */
export function SetteeDrawing({ seats, width = 220 }: SetteeDrawingProps) {
  const id = useId();
  return (
    <svg
      className={styles.drawing}
      data-seats={seats}
      width={width}
      height={Math.round((width * 138) / 240)}
      viewBox="5 22 240 138"
      aria-hidden="true"
    >
      <defs>
        <radialGradient id={`${id}glow`}>
          <stop offset="0" stopColor="#f0ae48" stopOpacity="0.62" />
          <stop offset="0.55" stopColor="#f0ae48" stopOpacity="0.14" />
          <stop offset="1" stopColor="#f0ae48" stopOpacity="0" />
        </radialGradient>
        {/* The lines of the sofa stop behind a person. */}
        <mask id={`${id}sofa`} maskUnits="userSpaceOnUse" x="0" y="0" width="250" height="168">
          <rect width="250" height="168" fill="#fff" />
          {(['left', 'right'] as const).map((side) => (
            <g key={side} className={styles.cut} data-side={side} transform={people[side].transform}>
              <path d={BODY} />
              <circle cx="72.5" cy="53.5" r="10" />
              <path d="M85 150H98V151H85Z" />
              {side === 'right' && <path d={CUP} />}
            </g>
          ))}
        </mask>
      </defs>
      <circle className={styles.glow} cx="205" cy="66" r="42" fill={`url(#${id}glow)`} stroke="none" />
      <path d="M205 66V151M194 151H216" />
      <path className={styles.shade} d={SHADE} />
      <path className={styles.cord} d="M212 66V75" />
      <g mask={`url(#${id}sofa)`}>
        <path d="M40 84C38 58 46 50 62 48.5 80 47 94 50 100 60 106 50 120 47 138 48.5 154 50 162 58 160 84M100 60V101" />
        <path d="M28 132V95a11 11 0 0 1 22 0V138H34a6 6 0 0 1-6-6zM172 132V95a11 11 0 0 0-22 0V138H166a6 6 0 0 0 6-6z" />
        <path d="M50 101H150M50 119H150M100 101V119M50 138H150M44 138L41 151M156 138L159 151" />
      </g>
      {(['left', 'right'] as const).map((side) => (
        <g key={side} className={styles.person} data-side={side} transform={people[side].transform}>
          <path className={styles.body} d={BODY} />
          <path d="M85 150.5H98" />
          {people[side].lines.map((line) => (
            <path key={line} d={line} />
          ))}
          <circle cx="72.5" cy="53.5" r="10" />
          <path className={styles.hair} d={people[side].hair} />
        </g>
      ))}
    </svg>
  );
}

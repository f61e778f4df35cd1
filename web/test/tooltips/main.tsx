import { createRoot } from 'react-dom/client';
import '../../src/design/base.css';
import { Tooltip } from '../../src/ui/Tooltip.tsx';

const positions = ['top', 'bottom', 'left', 'right'] as const;
const places = [
  ['in the middle', { top: '45%', left: '45%' }],
  ['at the start', { top: '30%', left: 0 }],
  ['at the end', { top: '60%', right: 0 }],
  ['above', { top: 0, left: '45%' }],
  ['below', { bottom: 0, left: '45%' }],
] as const;

/** One tooltip of each position, in the middle of the window and at its edges. */
function Tooltips() {
  const { position = 'top', place = '', delay } = Object.fromEntries(new URLSearchParams(location.search));
  const style = places.find(([name]) => name === place)?.[1];
  return (
    <main>
      <h1>Tooltips</h1>
      <button type="button">Elsewhere</button>
      <div style={{ position: 'fixed', ...style }}>
        <Tooltip
          text="Words that say what this is about"
          position={positions.find((each) => each === position) ?? 'top'}
          {...(delay !== undefined && { delay: Number(delay) })}
        >
          {(id) => (
            <button type="button" aria-describedby={id}>
              Thing
            </button>
          )}
        </Tooltip>
      </div>
    </main>
  );
}

const root = document.getElementById('app');
if (root) createRoot(root).render(<Tooltips />);

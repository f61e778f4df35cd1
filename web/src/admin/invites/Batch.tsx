import { fillText } from '@settee/protocol/texts/fillText';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';
import type { ReactNode } from 'react';
import { Button } from '../../ui/Button.tsx';
import styles from './Batch.module.css';
import type { BatchRun, BatchState } from './batchRun.ts';
import { CreatedLinks } from './CreatedLinks.tsx';
import { useBatch } from './useBatch.ts';

/** The form, then the progress, then the created links. */
export function Batch({ children }: { children: (start: BatchRun['start']) => ReactNode }) {
  const { run, state } = useBatch();
  if (state.phase === 'idle') return children(run.start);
  if (state.phase === 'running') return <Progress state={state} onStop={run.stop} />;
  return <CreatedLinks state={state} onSaved={run.markSaved} onContinue={run.resume} onAgain={run.clear} />;
}

function Progress({ state, onStop }: { state: BatchState; onStop: () => void }) {
  const { made, total, waiting, stopping } = state;
  const count = fillText(texts.progressCount, { done: made.length, total });
  return (
    <div>
      <p className={styles.title}>{texts.progress}</p>
      <div
        className={styles.bar}
        role="progressbar"
        aria-label={texts.progress}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={made.length}
        aria-valuetext={count}
      >
        <span style={{ inlineSize: `${(made.length / total) * 100}%` }} />
      </div>
      <div className={styles.foot}>
        <p>{count}</p>
        <p role="status">{waiting ? texts.waiting : stopping ? texts.stopping : ''}</p>
        <Button look="outline" disabled={stopping} onClick={onStop}>
          {texts.stop}
        </Button>
      </div>
    </div>
  );
}

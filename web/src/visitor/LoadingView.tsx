import { texts } from '@settee/protocol/texts/texts';
import { Hidden } from '../ui/Hidden.tsx';
import { copyPreloader } from './preloader.ts';

/** Looks exactly like the preloader that it replaces. */
export function LoadingView() {
  return (
    <main className="waiting" ref={copyPreloader}>
      <span role="status">
        <Hidden>{texts.loading}</Hidden>
      </span>
    </main>
  );
}

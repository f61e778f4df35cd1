import { texts } from '@settee/protocol/texts/texts';
import { Hidden } from '../ui/Hidden.tsx';
import { copyPreloader } from './preloader.ts';

/** The preloader's own picture, so that nobody sees where the page takes over from it. */
export function LoadingView() {
  return (
    <main className="waiting" ref={copyPreloader}>
      <span role="status">
        <Hidden>{texts.loading}</Hidden>
      </span>
    </main>
  );
}

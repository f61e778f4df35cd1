import { texts } from '@settee/protocol/texts/texts';
import { reloadPage } from '../browser/reloadPage.ts';
import { Button } from '../ui/Button.tsx';
import { lazyWithFallback } from './lazyWithFallback.tsx';
import styles from './Page.module.css';

/** Kept out of the first script. */
export const SetteeDrawing = lazyWithFallback(() =>
  import('../ui/SetteeDrawing.tsx').then((part) => part.SetteeDrawing),
);

const badLink: readonly (string | undefined)[] = [
  texts.inviteNotFound,
  texts.inviteExpired,
  texts.inviteRevoked,
];

/** These say only that something failed. */
const failures: readonly (string | undefined)[] = [
  texts.inviteLoadFailed,
  texts.authFailed,
  texts.networkError,
];

type ErrorViewProps = { title: string; reason?: string; onRetry?: (() => void) | undefined };

/** Without a reason, the page itself failed and a reload may help. */
export function ErrorView({ title, reason, onRetry }: ErrorViewProps) {
  const help = badLink.includes(reason)
    ? texts.inviteHelp
    : failures.includes(reason)
      ? texts.tryHelp
      : undefined;
  return (
    <main className={styles.page}>
      <div className="centre">
        <div className={styles.drawing}>
          <SetteeDrawing seats="empty" />
        </div>
        <h1 className="headline">{title}</h1>
        <p className="lead" role="alert">
          {reason ?? texts.pageBroken}
        </p>
        {help && <p className={styles.help}>{help}</p>}
        {reason === undefined ? (
          <Button onClick={reloadPage}>{texts.refreshPage}</Button>
        ) : (
          <>
            {onRetry && <Button onClick={onRetry}>{texts.tryAgain}</Button>}
            <Button look={onRetry ? 'quiet' : 'primary'} onClick={() => location.assign('/')}>
              {texts.goToHome}
            </Button>
          </>
        )}
      </div>
    </main>
  );
}

import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { texts } from '@settee/protocol/texts/texts';
import { Button } from '../../ui/Button.tsx';
import { useSignedIn } from '../context.ts';
import { useCommandRegistry } from '../keys/commands.ts';
import { ReplyLine } from '../replies/ReplyLine.tsx';
import { useSavedReplies } from '../replies/useSavedReplies.ts';
import styles from './DetailsContent.module.css';

/** The others are available by slash. */
const SHOWN = 3;

/** The first saved replies. A click inserts one into the composer. */
export function DetailsReplies({ onInserted }: { onInserted: (() => void) | undefined }) {
  const { data: replies, isError, refetch } = useSavedReplies();
  const { screen } = useSignedIn();
  const commands = useCommandRegistry();
  const manage = () => commands.run('savedReplies');

  return (
    <section>
      <div className={styles.top}>
        <h2 className={styles.heading}>{consoleTexts.savedReplies}</h2>
        <button
          type="button"
          className={styles.manage}
          aria-label={`${consoleTexts.edit}: ${consoleTexts.savedReplies}`}
          onClick={manage}
        >
          {consoleTexts.edit}
        </button>
      </div>
      {isError && !replies ? (
        <div className={styles.failed} role="alert">
          <p>{consoleTexts.repliesFailed}</p>
          <Button look="outline" onClick={() => void refetch()}>
            {texts.tryAgain}
          </Button>
        </div>
      ) : replies?.length === 0 ? (
        <p className={styles.none}>{consoleTexts.noReplies}</p>
      ) : (
        <ul className={styles.replies}>
          {replies?.slice(0, SHOWN).map((reply) => (
            <li key={reply.id}>
              <button
                type="button"
                className={styles.reply}
                onClick={() => {
                  onInserted?.();
                  screen.insertText.emit(reply.text);
                }}
              >
                <ReplyLine reply={reply} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

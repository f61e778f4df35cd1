import { accountTexts } from '@settee/protocol/texts/accountTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useCopy } from '../../browser/useCopy.ts';
import { Button } from '../../ui/Button.tsx';
import { Hidden } from '../../ui/Hidden.tsx';
import { saveFile } from '../../ui/saveFile.ts';
import styles from './RecoveryCodes.module.css';

type RecoveryCodesProps = { codes: string[]; email: string; onKept: () => void };

/** Shown once: copy, download or write down. */
export function RecoveryCodes({ codes, email, onKept }: RecoveryCodesProps) {
  const { copied, copy } = useCopy();

  function download(): void {
    const top = fillText(accountTexts.codesFileTop, { email, host: location.host });
    saveFile(accountTexts.codesFile, `${top}\n\n${codes.join('\n')}\n`, 'text/plain');
  }

  return (
    <div className={styles.keep}>
      <p>{fillText(accountTexts.keepNote, { count: codes.length })}</p>
      <ol className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className={styles.tools}>
        <Button look="outline" onClick={() => void copy(codes.join('\n'))}>
          {copied ? accountTexts.codesCopied : accountTexts.copyCodes}
        </Button>
        <Button look="outline" onClick={download}>
          {accountTexts.downloadCodes}
        </Button>
        <Hidden>
          <span role="status">{copied && accountTexts.codesCopied}</span>
        </Hidden>
      </div>
      <Button onClick={onKept}>{accountTexts.kept}</Button>
    </div>
  );
}

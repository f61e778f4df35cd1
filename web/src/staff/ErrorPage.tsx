import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { texts } from '@settee/protocol/texts/texts';
import { reloadPage } from '../browser/reloadPage.ts';
import { Button } from '../ui/Button.tsx';
import { StatePage } from './StatePage.tsx';

export function ErrorPage({ admin = false }) {
  return (
    <StatePage title={admin ? texts.pageBroken : consoleTexts.consoleBroken} alert>
      <Button onClick={reloadPage}>{texts.refreshPage}</Button>
    </StatePage>
  );
}

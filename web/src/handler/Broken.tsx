import { texts } from '@settee/protocol/texts';
import { Button } from '../ui/Button.tsx';
import { StatePage } from './StatePage.tsx';

export function Broken() {
  return (
    <StatePage title={texts.consoleBroken} alert>
      <Button onClick={() => location.reload()}>{texts.refreshPage}</Button>
    </StatePage>
  );
}

import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';
import { useNavigate } from 'react-router';
import { ListState } from '../../staff/ListState.tsx';
import { Button } from '../../ui/Button.tsx';

/** In a form's place. Not in that of links that were made: the last desk may go while they are on show. */
export function NoHandlers() {
  const navigate = useNavigate();
  return (
    <ListState>
      <p>{texts.noHandlers}</p>
      <Button look="outline" onClick={() => void navigate('/handlers')}>
        {texts.addHandler}
      </Button>
    </ListState>
  );
}

import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';
import { useState } from 'react';
import { FormDialog } from '../../staff/dialog/FormDialog.tsx';
import { Button } from '../../ui/Button.tsx';

type AnotherProps = {
  /** What is asked where something was not kept yet. */
  title: string;
  unsaved: boolean;
  onAnother: () => void;
};

/** From what was made back to the form. */
export function Another({ title, unsaved, onAnother }: AnotherProps) {
  const [asking, setAsking] = useState(false);

  async function drop(): Promise<undefined> {
    onAnother();
  }

  return (
    <>
      <Button look="outline" onClick={() => (unsaved ? setAsking(true) : onAnother())}>
        {texts.another}
      </Button>
      {asking && (
        <FormDialog
          title={title}
          note={texts.dropNote}
          action={adminTexts.leave}
          danger
          onClose={() => setAsking(false)}
          onSubmit={drop}
        />
      )}
    </>
  );
}

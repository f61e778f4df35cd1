import type { Person } from '@settee/protocol/calls/peopleCalls';
import { fillText } from '@settee/protocol/texts/fillText';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import { texts } from '@settee/protocol/texts/texts';
import type { Api } from '../../net/api.ts';
import { FormDialog } from '../../staff/dialog/FormDialog.tsx';

type AccessDialogProps = {
  task: 'newLink' | 'signOut' | 'resetFactor';
  person: Person;
  /** See Dialogs. */
  ask: Api;
  onClose: () => void;
  onLink: (link: string) => void;
  onDone: (text: string) => void;
};

const asks = {
  newLink: { title: peopleTexts.newLink, action: peopleTexts.newLinkSubmit, note: peopleTexts.newLinkNote },
  signOut: { title: peopleTexts.signOut, action: peopleTexts.signOut, note: peopleTexts.signOutNote },
  resetFactor: {
    title: peopleTexts.resetFactor,
    action: peopleTexts.resetFactor,
    note: peopleTexts.resetFactorNote,
  },
} as const;

/** A question before somebody's access ends in some way. */
export function AccessDialog({ task, person, ask, onClose, onLink, onDone }: AccessDialogProps) {
  const { id, name } = person;
  const { title, action, note } = asks[task];

  async function run(): Promise<string | undefined> {
    if (task === 'newLink') {
      const made = await ask('makePasswordLink', { params: { id } });
      if (!made.ok) return made.text || texts.networkError;
      onLink(made.answer.link);
      return undefined;
    }
    const call = task === 'signOut' ? 'signOutEverywhere' : 'resetFactor';
    const done = await ask(call, { params: { id } });
    if (!done.ok) return done.text || texts.networkError;
    onDone(task === 'signOut' ? peopleTexts.signedOut : peopleTexts.factorWasReset);
    return undefined;
  }

  return (
    <FormDialog
      title={`${title}: ${name}`}
      note={fillText(note, { name })}
      action={action}
      danger
      onClose={onClose}
      onSubmit={run}
    />
  );
}

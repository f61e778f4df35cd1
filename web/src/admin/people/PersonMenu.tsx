import type { Person } from '@settee/protocol/calls/peopleCalls';
import { fillText } from '@settee/protocol/texts/fillText';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import menu from '../../staff/menu/items.module.css';
import { RowMenu, RowTask } from '../parts/RowMenu.tsx';
import type { Task } from './task.ts';

type PersonMenuProps = { person: Person; self: boolean; onChoose: (task: Task) => void };

/** What can be done about a person; about oneself, only what does not shut the door behind one. */
export function PersonMenu({ person, self, onChoose }: PersonMenuProps) {
  return (
    <RowMenu label={fillText(peopleTexts.actionsFor, { name: person.name })}>
      {(choose) => {
        const item = (task: Task, text: string) => (
          <RowTask danger={task === 'deactivate'} onClick={() => choose(() => onChoose(task))}>
            {text}
          </RowTask>
        );
        if (!person.active) return item('activate', peopleTexts.activate);
        return (
          <>
            {item('edit', peopleTexts.edit)}
            {!self && item('newLink', peopleTexts.newLink)}
            {item('signOut', peopleTexts.signOut)}
            {!self && person.hasFactor && item('resetFactor', peopleTexts.resetFactor)}
            {!self && <div className={menu.group}>{item('deactivate', peopleTexts.deactivate)}</div>}
          </>
        );
      }}
    </RowMenu>
  );
}

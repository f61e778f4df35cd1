import { fillText } from '@settee/protocol/fillText';
import type { Person } from '@settee/protocol/peopleCalls';
import { peopleTexts } from '@settee/protocol/peopleTexts';
import menu from '../../staff/menu/items.module.css';
import { MenuButton } from '../../staff/menu/MenuButton.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { MenuItem } from '../../ui/MenuItem.tsx';
import styles from './PeopleTable.module.css';
import type { Task } from './task.ts';

type PersonMenuProps = { person: Person; self: boolean; onChoose: (task: Task) => void };

/** What can be done about a person; about oneself, only what does not shut the door behind one. */
export function PersonMenu({ person, self, onChoose }: PersonMenuProps) {
  const label = fillText(peopleTexts.actionsFor, { name: person.name });
  return (
    <MenuButton label={label} className={styles.more} face={<Icon name="more" />}>
      {(choose) => {
        const item = (task: Task, text: string) => (
          <MenuItem onClick={() => choose(() => onChoose(task))}>{text}</MenuItem>
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
    </MenuButton>
  );
}

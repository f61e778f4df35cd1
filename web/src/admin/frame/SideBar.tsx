import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { Mark } from '../../ui/Mark.tsx';
import { PersonMenu } from './PersonMenu.tsx';
import { ConsoleLink, Places } from './Places.tsx';
import styles from './SideBar.module.css';

/** Words and icons beside a wide page; icons alone beside a narrower one. */
export function SideBar() {
  return (
    <nav className={styles.side} aria-label={adminTexts.navigation}>
      <div className={styles.logo}>
        <Mark size={30} />
        <span>settee</span>
      </div>
      <Places />
      <div className={styles.foot}>
        <ConsoleLink />
        <PersonMenu />
      </div>
    </nav>
  );
}

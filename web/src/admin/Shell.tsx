import { adminTexts } from '@settee/protocol/adminTexts';
import { NavLink, Outlet } from 'react-router';
import { ToastPlace } from '../staff/toast/ToastPlace.tsx';
import { Mark } from '../ui/Mark.tsx';
import styles from './Shell.module.css';

const places = [
  { to: '/dashboard', text: adminTexts.dashboard },
  { to: '/conversations', text: adminTexts.conversations },
  { to: '/invites', text: adminTexts.invites },
  { to: '/handlers', text: adminTexts.handlers },
  { to: '/profile', text: adminTexts.publicProfile },
  { to: '/audit', text: adminTexts.auditLog },
];

/** Where one is in the admin area, and the way to everywhere else. */
export function Shell() {
  return (
    <div className={styles.shell} data-look="staff">
      <nav className={styles.side} aria-label={adminTexts.navigation}>
        <Mark size={30} />
        {places.map(({ to, text }) => (
          <NavLink key={to} to={to} className={() => styles.place}>
            {text}
          </NavLink>
        ))}
        <a href="/handler">{adminTexts.handlerConsole}</a>
      </nav>
      <main className={styles.main}>
        <Outlet />
        <ToastPlace />
      </main>
    </div>
  );
}

import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { fillText, formatNumber } from '@settee/protocol/texts/fillText';
import { webhookTexts } from '@settee/protocol/texts/webhookTexts';
import type { ReactNode } from 'react';
import { Hidden } from '../../ui/Hidden.tsx';
import { Shape } from '../../ui/Icon.tsx';
import { Tooltip } from '../../ui/Tooltip.tsx';
import { NavLink } from '../parts/links.tsx';
import { isShown, places } from '../places.tsx';
import { useProfiles, useScope } from '../profiles/useProfiles.ts';
import { useAdminQuery } from '../useAdminQuery.ts';
import styles from './Navigation.module.css';
import { shapes } from './shapes.ts';

const meaning = {
  open: adminTexts.countOpen,
  handlers: adminTexts.countPeople,
  webhooks: webhookTexts.disabledCount,
  profiles: adminTexts.countPeople,
};

/** The pages of the admin area, some of them with counts. */
export function NavItems({ onGo }: { onGo?: () => void }) {
  const counts = useCounts();
  const { several } = useProfiles();
  return (
    <ul className={styles.places}>
      {places.filter(isShown(several)).map(({ path, text, icon, count }) => (
        <Item key={path} text={text}>
          <NavLink to={`/${path}`} className={() => styles.place} {...(onGo && { onClick: onGo })}>
            <Shape paths={icon} />
            <span className={styles.text}>{text}</span>
            {count && <Count value={counts[count]} meaning={meaning[count]} />}
          </NavLink>
        </Item>
      ))}
    </ul>
  );
}

/** Leaves the admin area for the console, which is another page. */
export function ConsoleLink() {
  return (
    <ul className={styles.places}>
      <Item text={adminTexts.handlerConsole}>
        <a href="/handler" className={styles.place}>
          <Shape paths={shapes.inbox} />
          <span className={styles.text}>{adminTexts.handlerConsole}</span>
        </a>
      </Item>
    </ul>
  );
}

function Item({ text, children }: { text: string; children: ReactNode }) {
  return (
    <li className={styles.item}>
      <Tooltip text={text} position="right">
        {() => children}
      </Tooltip>
    </li>
  );
}

function Count({ value, meaning }: { value: number | undefined; meaning: string }) {
  if (value === undefined) return null;
  return (
    <>
      <span className={styles.count} aria-hidden="true">
        {formatNumber(value)}
      </span>
      <Hidden>{fillText(meaning, { count: value })}</Hidden>
    </>
  );
}

type Counts = Record<keyof typeof meaning, number | undefined>;

/** Each count is read again when its topic changes. Those of the whole installation do not fit one profile. */
function useCounts(): Counts {
  const { profiles } = useProfiles();
  const all = useScope().profile === undefined;
  const conversations = useAdminQuery('conversations', 'readCounts', {});
  const staff = useAdminQuery('staff', 'readCounts', {});
  return {
    open: all ? conversations.data?.open : undefined,
    handlers: all ? staff.data?.handlers : undefined,
    // Only disabled ones need attention.
    webhooks: staff.data?.disabledWebhooks || undefined,
    profiles: profiles.filter(({ archivedAt }) => archivedAt === null).length,
  };
}

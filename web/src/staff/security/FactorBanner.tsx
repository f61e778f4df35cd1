import type { StaffClaims } from '@settee/protocol/model/staff';
import { accountTexts } from '@settee/protocol/texts/accountTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { dateText } from '../../browser/dateText.ts';
import { Button } from '../../ui/Button.tsx';
import styles from './FactorBanner.module.css';

const SETUP = '/security';

/** Asks for a missing second factor. "Later" hides it. */
export function FactorBanner({ staff }: { staff: StaffClaims }) {
  const { enrolBy, adminClosed } = staff;
  const [hidden, setHidden] = useState(false);
  const { pathname } = useLocation();
  if (enrolBy === null || hidden || pathname === SETUP) return null;
  const date = dateText(enrolBy, { day: 'numeric', month: 'long' });
  return (
    <div className={styles.banner} role="status" data-banner="">
      <p>{adminClosed ? accountTexts.bannerOverdue : fillText(accountTexts.banner, { date })}</p>
      <Link className={styles.link} to={SETUP}>
        {accountTexts.bannerSetUp}
      </Link>
      <Button look="bare" onClick={() => setHidden(true)}>
        {accountTexts.bannerLater}
      </Button>
    </div>
  );
}

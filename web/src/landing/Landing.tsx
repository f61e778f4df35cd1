import type { Brand } from '@settee/protocol/brand';
import { initials } from '@settee/protocol/initials';
import { landingTexts } from '@settee/protocol/landingTexts';
import { texts } from '@settee/protocol/texts';
import { useEffect, useState } from 'react';
import { Avatar } from '../ui/Avatar.tsx';
import { Mark } from '../ui/Mark.tsx';
import { Seal } from '../ui/Seal.tsx';
import styles from './Landing.module.css';
import { OpenInvite } from './OpenInvite.tsx';
import { readWelcome, type Welcome } from './welcome.ts';

/** The front of the house: whose it is, and a field for those who hold an invite. It leads nowhere without one. */
export function Landing() {
  const { brand, setupNeeded } = useWelcome();
  return (
    <div className={styles.page}>
      <header className={styles.logo}>
        <Mark size={28} />
        settee
      </header>
      <main className={styles.main}>
        {/* Its room is kept, so that nothing moves when it comes. */}
        <div className={styles.profile}>{brand && !setupNeeded && <Profile brand={brand} />}</div>
        <h1 className={styles.heading}>{landingTexts.landingTitle}</h1>
        {setupNeeded ? <SetItUp /> : <OpenInvite />}
        <p className={styles.fine}>
          {landingTexts.landingHandler} <a href="/handler">{landingTexts.landingSignIn}</a>
        </p>
      </main>
    </div>
  );
}

function Profile({ brand }: { brand: Brand }) {
  return (
    <>
      <Avatar letters={initials(brand.displayName)} url={brand.avatarUrl} size={44} />
      <p className={styles.name}>
        <bdi>{brand.displayName}</bdi>
        {brand.verified && <Seal label={texts.verifiedTooltip} />}
      </p>
    </>
  );
}

/** For whoever opened a new installation. */
function SetItUp() {
  return (
    <>
      <p className={styles.note}>{landingTexts.landingEmpty}</p>
      <a className={styles.setUp} href="/admin/setup">
        {landingTexts.landingSetUp}
      </a>
    </>
  );
}

function useWelcome(): Welcome {
  const [welcome, setWelcome] = useState<Welcome>({ brand: undefined, setupNeeded: false });
  useEffect(() => {
    void readWelcome().then((read) => {
      setWelcome(read);
      if (read.brand) document.title = read.brand.displayName;
    });
  }, []);
  return welcome;
}

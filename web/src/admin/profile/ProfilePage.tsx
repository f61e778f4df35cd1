import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { profileTexts } from '@settee/protocol/texts/profileTexts';
import { Loaded } from '../parts/Loaded.tsx';
import { Page } from '../parts/Page.tsx';
import { useManaged } from '../useManaged.ts';
import { ProfileForm } from './ProfileForm.tsx';

/** The public profile, and what is set for the whole installation beside it. */
export function ProfilePage() {
  const saved = useManaged('profile', 'readProfileSettings', {});
  return (
    <Page title={adminTexts.publicProfile}>
      <Loaded query={saved} thing={profileTexts.thing}>
        {(answer) => <ProfileForm saved={answer} />}
      </Loaded>
    </Page>
  );
}

import { MAIN } from '@settee/protocol/model/profile';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { profileTexts } from '@settee/protocol/texts/profileTexts';
import { useState } from 'react';
import { Navigate, Route, Routes, useParams } from 'react-router';
import { Pill } from '../../staff/Pill.tsx';
import { ProfilePicture } from '../../staff/ProfilePicture.tsx';
import { staffShapes } from '../../staff/shapes.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon, Shape } from '../../ui/Icon.tsx';
import { Link } from '../parts/links.tsx';
import { ProfilePage } from '../profile/ProfilePage.tsx';
import { NewProfileDialog } from './ProfileDialogs.tsx';
import { ProfileList } from './ProfileList.tsx';
import { useProfiles } from './useProfiles.ts';

/** Routes below /admin/profiles. With one profile, there is only its own page. */
export function ProfilesPage() {
  const { several, known } = useProfiles();
  if (known && !several) return <Navigate to="/profile" replace />;
  return (
    <Routes>
      <Route index element={<ProfileList />} />
      <Route path=":slug" element={<OneOfSeveral />} />
      <Route path="*" element={<Navigate to="/profiles" replace />} />
    </Routes>
  );
}

function OneOfSeveral() {
  const { slug } = useParams();
  const { profiles, known } = useProfiles();
  const profile = profiles.find((each) => each.slug === slug);
  if (profile === undefined) return known ? <Navigate to="/profiles" replace /> : null;
  return (
    <ProfilePage
      key={slug}
      title={profile.displayName}
      lead={
        <>
          <Link to="/profiles" className="icon-button" aria-label={profileTexts.all} title={profileTexts.all}>
            <Icon name="back" />
          </Link>
          <ProfilePicture profile={profile} size={42} />
        </>
      }
      actions={profile.archivedAt !== null && <Pill tone="plain">{profileTexts.archivedOnes}</Pill>}
      profile={profile}
    />
  );
}

/** The page of the only profile. Here an administrator adds a second one. */
export function OnlyProfilePage() {
  const { several } = useProfiles();
  const [adding, setAdding] = useState(false);
  const [made, setMade] = useState(MAIN);
  if (several && !adding) return <Navigate to={`/profiles/${made}`} replace />;
  return (
    <>
      <ProfilePage
        title={adminTexts.publicProfile}
        actions={
          <Button look="bare" onClick={() => setAdding(true)}>
            <Shape paths={staffShapes.plus} size={18} />
            {profileTexts.addFirst}
          </Button>
        }
      />
      {adding && <NewProfileDialog onMade={setMade} onClose={() => setAdding(false)} />}
    </>
  );
}

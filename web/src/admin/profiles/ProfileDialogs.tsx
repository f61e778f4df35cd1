import { PROFILE_NAME_MAX } from '@settee/protocol/calls/profileCalls';
import { DESK_NAME_MAX } from '@settee/protocol/model/deskName';
import type { ManagedProfile } from '@settee/protocol/model/profile';
import { fillText } from '@settee/protocol/texts/fillText';
import { profileTexts } from '@settee/protocol/texts/profileTexts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FormDialog } from '../../staff/dialog/FormDialog.tsx';
import { useAdmin } from '../context.ts';
import { Select } from '../parts/Select.tsx';
import { TextField } from '../parts/TextField.tsx';
import { useProfiles } from './useProfiles.ts';

type NewProfileDialogProps = { onMade: (slug: string) => void; onClose: () => void };

/** Adds a profile. The rest is set on its page. */
export function NewProfileDialog({ onMade, onClose }: NewProfileDialogProps) {
  const { session } = useAdmin();
  const queries = useQueryClient();
  const [displayName, setDisplayName] = useState('');
  const [deskName, setDeskName] = useState('');

  async function create() {
    if (displayName.trim() === '') return profileTexts.nameLength;
    const body = { displayName, ...(deskName.trim() !== '' && { deskName }) };
    const created = await session.api('createProfile', { body });
    // Its page must know it.
    if (created.ok) await queries.invalidateQueries({ queryKey: ['profile', 'listProfiles'] });
    return created;
  }

  return (
    <FormDialog
      title={profileTexts.add}
      note={profileTexts.addNote}
      action={profileTexts.create}
      onSubmit={create}
      onDone={({ slug }) => onMade(slug)}
      onClose={onClose}
    >
      <TextField
        label={profileTexts.name}
        hint={profileTexts.nameHelp}
        value={displayName}
        maxLength={PROFILE_NAME_MAX}
        required
        autoComplete="off"
        onChange={setDisplayName}
      />
      <TextField
        label={profileTexts.firstDesk}
        hint={profileTexts.firstDeskHint}
        value={deskName}
        maxLength={DESK_NAME_MAX}
        autoComplete="off"
        onChange={setDeskName}
      />
    </FormDialog>
  );
}

/** Says what it means, before a profile is archived or brought back. */
export function ArchiveDialog({ profile, ...rest }: ArchiveDialogProps) {
  const { session } = useAdmin();
  const { slug, displayName: name, archivedAt } = profile;
  const { call, title, note, action, said } = archivedAt === null ? archiving : unarchiving;
  return (
    <FormDialog
      title={fillText(title, { name })}
      note={note}
      action={action}
      onSubmit={() => session.api(call, { params: { slug } })}
      say={fillText(said, { name })}
      {...rest}
    />
  );
}

type ArchiveDialogProps = { profile: ManagedProfile; onDone: () => void; onClose: () => void };

const archiving = {
  call: 'archiveProfile',
  title: profileTexts.archiveTitle,
  note: profileTexts.archiveNote,
  action: profileTexts.archive,
  said: profileTexts.wasArchived,
} as const;
const unarchiving = {
  call: 'unarchiveProfile',
  title: profileTexts.unarchiveTitle,
  note: profileTexts.unarchiveNote,
  action: profileTexts.unarchive,
  said: profileTexts.wasUnarchived,
} as const;

type ProfileSelectProps = { profile: string; onChange: (profile: string) => void };

/** For a new desk. There is no default: a desk keeps its profile for good. */
export function ProfileSelect({ profile, onChange }: ProfileSelectProps) {
  const offered = useProfiles().profiles.filter(({ archivedAt }) => archivedAt === null);
  return (
    <Select
      label={profileTexts.ofNewDesk}
      required
      value={profile}
      onChange={onChange}
      options={[
        { value: '', text: profileTexts.choose },
        ...offered.map(({ slug, displayName }) => ({ value: slug, text: displayName })),
      ]}
    />
  );
}

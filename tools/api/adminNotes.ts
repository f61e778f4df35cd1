import type { AreaNotes } from './callers.ts';

const ofPerson = ['not_found'] as const;
const ofInvite = ['invite_not_found', 'invite_revoked'] as const;

/** What administrators alone may ask. */
export const adminNotes = {
  'Administrators: the installation': {
    readFirstSteps: { summary: 'Read what of the first run is done.' },
    readCounts: { summary: 'Read how many conversations are open and how many people answer.' },
    readProfileSettings: { summary: 'Read the public profile with the settings beside it.' },
    saveProfileSettings: { summary: 'Change the public profile or the settings beside it.' },
    setAvatar: {
      summary: 'Set the profile’s picture; the body is the bytes of an image.',
      refused: ['image_type', 'image_size', 'media_refused'],
    },
    removeAvatar: { summary: 'Remove the profile’s picture.' },
    readDashboard: { summary: 'Read the dashboard’s figures.' },
    readAudit: { summary: 'Read the audit log, newest first, a page at a time.' },
    readAuditChoices: { summary: 'Read who and what there is in the audit log, to filter by.' },
  },
  'Administrators: members of staff': {
    readPeople: { summary: 'Read the members of staff, a page at a time.' },
    addPerson: {
      summary: 'Add a member of staff, and get the link to choose a password by.',
      refused: ['email_taken', 'password_required'],
    },
    changePerson: {
      summary: 'Change a member of staff.',
      refused: [...ofPerson, 'email_taken', 'last_admin', 'desk_in_use', 'password_required'],
    },
    deactivatePerson: {
      summary: 'Deactivate a member of staff; their sessions end.',
      refused: [...ofPerson, 'last_admin', 'desk_in_use'],
    },
    activatePerson: { summary: 'Activate a member of staff again.', refused: ofPerson },
    makePasswordLink: {
      summary: 'Make a one-time link to choose a password by.',
      refused: [...ofPerson, 'password_required'],
    },
    signOutEverywhere: { summary: 'End all sessions of a member of staff.', refused: ofPerson },
    resetFactor: {
      summary: 'Take a lost second factor away.',
      refused: [...ofPerson, 'password_required'],
    },
    readLeaving: {
      summary: 'Read what would stay behind at the desk of somebody who leaves.',
      refused: ofPerson,
    },
    readLeftDesks: { summary: 'Read the desks that have work and nobody to do it.' },
    readDeskHours: { summary: 'Read the desks and their opening hours.' },
    saveDeskHours: {
      summary:
        'Set the opening hours of a desk, or remove them. Outside them its visitors see the away message.',
      refused: ['not_found'],
    },
    moveDesk: { summary: 'Hand some of a desk’s work over to another; ask until none is left.' },
  },
  'Administrators: invites': {
    readInvites: { summary: 'Read the invites, newest first, a page at a time.' },
    createInvites: {
      summary: 'Make up to 500 invites. The links are in this answer and nowhere else.',
      refused: ['id_reused'],
    },
    revokeInvites: { summary: 'Revoke invites; whoever came by them is shut out.' },
    replaceLink: {
      summary: 'Make another link for an invite; the old one leads nowhere.',
      refused: ofInvite,
    },
    resetCode: { summary: 'Make another continue code for a chat that has started.', refused: ofInvite },
    updateInvite: { summary: 'Change an invite’s label, days to keep or expiry.', refused: ofInvite },
  },
  'Administrators: conversations': {
    searchMessages: {
      summary: 'Search the messages of every desk. The audit log gets a line without the words.',
      refused: ['too_many'],
    },
    listConversations: { summary: 'List the conversations of every desk, a page at a time.' },
    reassignMany: { summary: 'Hand up to 500 conversations over to a desk.' },
    closeMany: { summary: 'Close up to 500 conversations.' },
    exportConversation: { summary: 'Read all of a conversation, a page at a time.', refused: ['not_found'] },
    eraseConversation: { summary: 'Erase a conversation, for ever.', refused: ['not_found'] },
    countExpired: { summary: 'Count what would be erased if conversations were kept for so many days.' },
  },
} as const satisfies AreaNotes;

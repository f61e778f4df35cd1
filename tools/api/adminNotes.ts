import type { AreaNotes } from './callers.ts';

/** Calls for administrators only. */
export const adminNotes = {
  'Administrators: the installation': {
    readFirstSteps: { summary: 'Read which setup steps are done.' },
    readCounts: { summary: 'Read the number of open conversations and of handlers.' },
    readProfileSettings: { summary: 'Read the public profile and its settings.' },
    saveProfileSettings: { summary: 'Change the public profile or its settings.' },
    setAvatar: {
      summary: 'Set the avatar of the profile. The body is an image file.',
      refused: ['image_type', 'image_size', 'media_refused'],
    },
    removeAvatar: { summary: 'Remove the avatar of the profile.' },
    readMailFigures: {
      summary: 'Read how many mails were sent and refused; null if the installation sends none.',
    },
    readDashboard: { summary: 'Read the figures of the dashboard.' },
    readAudit: { summary: 'Read the audit log, newest first, a page at a time.' },
    readAuditChoices: { summary: 'Read the actors and actions in the audit log, for its filters.' },
  },
  'Administrators: staff members': {
    readPeople: { summary: 'Read the staff members, a page at a time.' },
    addPerson: {
      summary: 'Add a staff member. Returns the link to set a password.',
      refused: ['email_taken', 'password_required'],
    },
    changePerson: {
      summary: 'Change a staff member.',
      refused: ['email_taken', 'last_admin', 'desk_in_use', 'password_required'],
    },
    deactivatePerson: {
      summary: 'Deactivate a staff member and end their sessions.',
      refused: ['last_admin', 'desk_in_use'],
    },
    activatePerson: { summary: 'Activate a staff member again.', refused: ['password_required'] },
    makePasswordLink: {
      summary: 'Create a one-time link to set a password.',
      refused: ['password_required'],
    },
    signOutEverywhere: { summary: 'End all sessions of a staff member.' },
    resetFactor: { summary: 'Remove a lost second factor.', refused: ['password_required'] },
    readLeaving: { summary: 'Read the work at the desk of a staff member who is about to leave.' },
    readLeftDesks: { summary: 'Read the desks that have conversations but no handler.' },
    readDeskHours: { summary: 'Read the desks and their opening hours.' },
    saveDeskHours: {
      summary: 'Set or remove the opening hours of a desk. Outside them visitors see the away message.',
      refused: ['not_found'],
    },
    moveDesk: {
      summary:
        'Move a batch of conversations and invites from one desk to another. Repeat until none is left.',
    },
  },
  'Administrators: invites': {
    readInvites: { summary: 'Read the invites, newest first, a page at a time.' },
    createInvites: {
      summary: 'Create up to 500 invites. Only this response contains the links.',
      refused: ['id_reused'],
    },
    revokeInvites: {
      summary:
        'Revoke invites. Their visitors lose access. With an API key, only invites that this key created are revoked.',
    },
    replaceLink: {
      summary: 'Create a new link for an invite. The old link stops working.',
      refused: ['invite_revoked'],
    },
    resetCode: {
      summary: 'Create a new continue code for a conversation that has started.',
      refused: ['invite_revoked'],
    },
    updateInvite: {
      summary: 'Change an invite’s label, days to keep or expiry.',
      refused: ['invite_revoked'],
    },
  },
  'Administrators: conversations': {
    searchMessages: {
      summary: 'Search the messages of every desk. The audit log records the search, but not its text.',
    },
    listConversations: { summary: 'List the conversations of every desk, a page at a time.' },
    reassignMany: { summary: 'Move up to 500 conversations to a desk.' },
    closeMany: { summary: 'Close up to 500 conversations.' },
    exportConversation: { summary: 'Read all of a conversation, a page at a time.' },
    eraseConversation: { summary: 'Erase a conversation permanently.' },
    countExpired: { summary: 'Count the conversations that a shorter retention period would erase.' },
  },
  'Administrators: API keys': {
    readApiKeys: { summary: 'Read the API keys. Their secrets are not stored.' },
    createApiKey: {
      summary: 'Create an API key. Only this response contains it.',
      refused: ['password_required'],
    },
    revokeApiKey: { summary: 'Revoke an API key. It is refused from the next request on.' },
  },
  'Administrators: webhooks': {
    readWebhooks: { summary: 'Read the webhooks.' },
    createWebhook: {
      summary: 'Add a webhook. Only this response contains its secret.',
      refused: ['password_required'],
    },
    changeWebhook: { summary: 'Change, pause or resume a webhook.', refused: ['password_required'] },
    deleteWebhook: { summary: 'Delete a webhook and its deliveries.' },
    rotateWebhookSecret: {
      summary: 'Replace the secret of a webhook. Both secrets sign for 24 hours.',
      refused: ['password_required'],
    },
    readDeliveries: { summary: 'Read the deliveries of a webhook, newest first, a page at a time.' },
    resendDelivery: { summary: 'Send an event again.' },
  },
} as const satisfies AreaNotes;

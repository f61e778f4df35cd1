import type { VisitorConversation } from '@settee/protocol/model/conversation';

/** An open conversation as its visitor sees it. `different` replaces fields. */
export function aConversation(id: string, different: Partial<VisitorConversation> = {}): VisitorConversation {
  return {
    id,
    inviteId: id,
    visitorId: id,
    visitorName: 'Jonas',
    createdAt: 0,
    lastMessageAt: 0,
    head: 0,
    rev: 1,
    visitorSeen: 0,
    ownerSeen: 0,
    visitorSeenAt: null,
    ownerSeenAt: null,
    status: 'open',
    canSend: true,
    isFirstDevice: true,
    away: null,
    joinedAt: null,
    canErase: true,
    canMail: false,
    ...different,
  };
}

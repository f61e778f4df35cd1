import type { ConversationStatus } from '@settee/protocol/model/conversation';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { type BlockChoice, blockBody } from '../../staff/block/BlockFields.tsx';
import { staffShapes } from '../../staff/shapes.ts';
import { useToasts } from '../../staff/toast/toasts.ts';
import { useChange, useMountedRef } from '../../staff/useChange.ts';
import { iconShapes } from '../../ui/Icon.tsx';
import { queueAfterClosing } from '../account/settings.ts';
import { whenStored } from '../composer/whenStored.ts';
import { useSignedIn } from '../context.ts';
import { type Command, useCommands } from '../keys/commands.ts';
import { isFieldFocused } from '../keys/keyContext.ts';
import { addCounts, queuesOnDuty } from '../queue/deskQueues.ts';
import { useScope } from '../queue/ownDesks.ts';
import { countsOf, nextWaiting } from '../queue/queueFilter.ts';
import { shapes } from '../shapes.ts';
import { setStatus } from './setStatus.ts';

/** How long closing waits for pending replies. */
const CLOSE_WAITS_MS = 2_000;

type Asking = 'block' | 'transfer' | 'details';

type Subject = {
  id: string;
  name: string;
  /** The desk where the conversation is. */
  desk: string | undefined;
  status: ConversationStatus | undefined;
  readOnly: boolean;
};

/** Actions on the whole conversation: by button, key or palette. */
export function useConversationActions({ id, name, desk, status = 'open', readOnly }: Subject) {
  const { session, console } = useSignedIn();
  const toasts = useToasts();
  const navigate = useNavigate();
  // Back to the same list.
  const { search } = useLocation();
  const scope = useScope();
  const { error, run } = useChange();
  const [asking, setAsking] = useState<Asking | null>(null);
  const mounted = useMountedRef();

  const back = () => void navigate({ pathname: '/', search });
  /** Only if the conversation is still open here. */
  const toQueue = () => mounted.current && back();
  /** `from` is the status when the action was offered. A colleague's later decision stays. */
  const changeStatus = (next: 'open' | 'closed', from: ConversationStatus) =>
    setStatus(session.api, id, { status: next, from });

  /** Shown in the conversation, or as a toast with the visitor's name. */
  const failure = (problem: string): string =>
    mounted.current ? problem : fillText(consoleTexts.failedElsewhere, { name, problem });

  /** True if it succeeded. */
  function once(call: () => Promise<{ ok: true } | { ok: false; text: string }>): Promise<boolean> {
    return run(async () => {
      const answer = await call();
      return answer.ok ? answer : failure(answer.text || consoleTexts.statusFailed);
    });
  }

  async function close(): Promise<void> {
    const sent = async () =>
      !console.images.isBusy(id) &&
      whenStored(console.openConversation(id), AbortSignal.timeout(CLOSE_WAITS_MS));
    // A reply that arrives after closing would be refused, unseen.
    const unsent = { ok: false, text: consoleTexts.closeUnsent } as const;
    if (!(await once(async () => ((await sent()) ? changeStatus('closed', 'open') : unsent)))) return;
    const closed = console.get().queue?.filter(({ conversationId }) => conversationId === id) ?? [];
    console.removeFromQueue(id, desk);
    toasts.show({
      text: fillText(consoleTexts.closedChat, { name }),
      undo: () => void reopen({ from: 'closed', open: true }),
      closed,
    });
    const { queues, desks } = console.get();
    const onDuty = queuesOnDuty(queues, desks, scope.desks).map((queue) => countsOf(queue, Date.now()));
    const next = queueAfterClosing.get() ? undefined : nextWaiting(addCounts(onDuty), id);
    if (next === undefined) toQueue();
    else if (mounted.current) void navigate({ pathname: `/conversation/${next}`, search }, { replace: true });
  }

  async function block(choice: BlockChoice): Promise<void> {
    const body = { status: 'blocked' as const, ...blockBody(choice) };
    if (!(await once(() => setStatus(session.api, id, body)))) return;
    console.removeFromQueue(id, desk);
    toQueue();
  }

  async function reopen({ from, open }: { from: ConversationStatus; open: boolean }): Promise<void> {
    const pressedAt = location.pathname;
    const answer = await changeStatus('open', from);
    if (!answer.ok) return toasts.show({ text: answer.text || consoleTexts.statusFailed });
    // Otherwise a late frame about the closed chat would remove the composer in which the user may be typing.
    console.openConversation(id).update(answer.answer.conversation);
    toasts.show({ text: fillText(consoleTexts.reopenedChat, { name }) });
    // Undo outlives this page, but must not move a user who has gone on.
    if (open && location.pathname === pressedAt && !isFieldFocused()) {
      await navigate({ pathname: `/conversation/${id}`, search: location.search });
    }
  }

  async function markUnread(): Promise<void> {
    const done = await once(() => session.api('markUnread', { params: { id }, body: { unread: true } }));
    if (done) toQueue();
  }

  function handedOver(deskName: string): void {
    console.removeFromQueue(id, desk);
    toasts.show({ text: fillText(consoleTexts.transferred, { alias: deskName }) });
    toQueue();
  }

  const open = status === 'open';
  const actions = {
    changeStatus: open
      ? action('close', consoleTexts.close, iconShapes.check, () => void close(), {
          name: consoleTexts.keyClose,
          key: 'mod+e',
        })
      : action(
          'reopen',
          status === 'blocked' ? consoleTexts.unblock : consoleTexts.reopen,
          iconShapes.retry,
          () => void reopen({ from: status, open: false }),
        ),
    transfer: action('transfer', consoleTexts.transfer, shapes.handOver, () => setAsking('transfer')),
    markUnread:
      open &&
      action('markUnread', consoleTexts.markUnread, shapes.unread, () => void markUnread(), {
        name: consoleTexts.keyUnread,
      }),
    details: action('details', consoleTexts.details, shapes.panel, () => setAsking('details')),
    block:
      status !== 'blocked' &&
      action('block', consoleTexts.block, staffShapes.ban, () => setAsking('block'), {
        name: consoleTexts.keyBlock,
      }),
  };
  const offered = Object.values(actions).filter((each) => each !== false);
  useCommands(readOnly ? [] : [...offered, { id: 'back', name: consoleTexts.backToQueue, run: back }]);

  return {
    error,
    asking,
    actions,
    back,
    onAsked: () => setAsking(null),
    /** The dialog closes at once; a failure is shown over the conversation. */
    onBlock(choice: BlockChoice): undefined {
      void block(choice);
    },
    onHandOverFailed: (problem: string) => void run(() => failure(problem), { of: 'transfer' }),
    onHandedOver: handedOver,
  };
}

/** `text` is for buttons and menus. The palette shows `name`, which may be longer. */
export type ConversationAction = Command & { text: string; shape: readonly string[] };

/** False if the conversation's status does not allow it. */
export type ConversationActions = ReturnType<typeof useConversationActions>['actions'];

function action(
  id: string,
  text: string,
  shape: readonly string[],
  run: () => void,
  palette?: { name: string; key?: string },
): ConversationAction {
  return { id, name: text, text, shape, run, ...palette };
}

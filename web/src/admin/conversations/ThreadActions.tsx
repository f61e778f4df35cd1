import type { Answer } from '@settee/protocol/calls/http';
import type { StaffConversation } from '@settee/protocol/model/conversation';
import { visitorNameOrLabel } from '@settee/protocol/model/visitor';
import {
  TRANSCRIPT_TYPES,
  type TranscriptFormat,
  transcriptName,
  transcriptWriter,
} from '@settee/protocol/render/transcript';
import type { TranscriptHead } from '@settee/protocol/render/transcriptTypes';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { conversationAdminTexts as texts } from '@settee/protocol/texts/conversationAdminTexts';
import { erasureTexts } from '@settee/protocol/texts/erasureTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { type MouseEvent, useState } from 'react';
import { useLocation } from 'react-router';
import { transcriptWords } from '../../browser/transcriptWords.ts';
import type { Api, Result } from '../../net/api.ts';
import items from '../../staff/menu/items.module.css';
import { MenuButton } from '../../staff/menu/MenuButton.tsx';
import { useChange } from '../../staff/useChange.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { MenuItem } from '../../ui/Menu.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { saveFile } from '../../ui/saveFile.ts';
import { useAdmin } from '../context.ts';
import { useNavigate } from '../parts/links.tsx';
import { type Task, TaskDialog, useToggleStatus } from './ConversationDialogs.tsx';
import styles from './ThreadActions.module.css';

const FORMATS: readonly TranscriptFormat[] = ['html', 'csv', 'json'];

type ThreadActionsProps = { conversation: StaffConversation; name: string; head: number };

/** Actions on the whole conversation. The irreversible ones come last in the menu. */
export function ThreadActions({ conversation, name, head }: ThreadActionsProps) {
  const { id, status, handlerAlias } = conversation;
  const navigate = useNavigate();
  const { search } = useLocation();
  const [asking, setAsking] = useState<Task | null>(null);
  const { error, toggle } = useToggleStatus();
  const { download, done } = useDownload(id);

  /** Ignore the second click of a double click. */
  function onToggle({ detail }: MouseEvent): void {
    if (detail < 2) toggle({ id, name, status });
  }

  function leave(): void {
    void navigate({ pathname: '/conversations', search }, { state: ERASED });
  }

  return (
    <div className={styles.actions}>
      <Button look="outline" onClick={() => setAsking('reassign')}>
        {adminTexts.reassign}
      </Button>
      {/* One button with two labels, so that it keeps the focus. */}
      {status !== 'blocked' && (
        <Button look="outline" onClick={onToggle}>
          {status === 'open' ? texts.close : texts.reopen}
        </Button>
      )}
      {status === 'blocked' && (
        <Button look="outline" onClick={() => setAsking('unblock')}>
          {texts.unblock}
        </Button>
      )}
      <MenuButton
        label={adminTexts.moreActions}
        className={`icon-button ${styles.more}`}
        face={<Icon name="more" />}
      >
        {(choose) => (
          <>
            <span className={items.label} aria-hidden="true">
              {texts.download}
            </span>
            {FORMATS.map((format) => (
              <MenuItem
                key={format}
                disabled={done !== null}
                onClick={() => choose(() => void download(format))}
              >
                {texts.downloadAs[format]}
              </MenuItem>
            ))}
            <div className={items.group}>
              {status !== 'blocked' && (
                <MenuItem className={styles.danger} onClick={() => choose(() => setAsking('block'))}>
                  {texts.block}
                </MenuItem>
              )}
              <MenuItem className={styles.danger} onClick={() => choose(() => setAsking('erase'))}>
                {erasureTexts.erase}
              </MenuItem>
            </div>
          </>
        )}
      </MenuButton>
      <span role="status" className={`muted ${styles.progress}`}>
        {done !== null &&
          fillText(texts.downloading, {
            done,
            total: Math.max(head, done),
          })}
      </span>
      {error && <Notice tone="danger">{error}</Notice>}
      {asking && (
        <TaskDialog
          task={asking}
          id={id}
          alias={handlerAlias}
          name={name}
          onClose={() => setAsking(null)}
          onDone={() => asking === 'erase' && leave()}
        />
      )}
    </div>
  );
}

/** Location state after erasing: the row is about to disappear, so it gets no focus. */
export const ERASED = 'erased';

/** Downloads a conversation. `done` counts the messages so far, and is null when idle. */
function useDownload(id: string) {
  const { session } = useAdmin();
  const { run } = useChange('toast');
  const [done, setDone] = useState<number | null>(null);

  async function read(format: TranscriptFormat) {
    setDone(0);
    const count = await downloadConversation(session.api, id, format, setDone);
    setDone(null);
    return count === undefined ? texts.downloadFailed : { ok: true as const, answer: count };
  }

  const download = (format: TranscriptFormat) =>
    run(() => read(format), { say: (count) => fillText(texts.downloaded, { count }) });
  return { done, download };
}

/**
 * Reads all pages and saves them as a file. Returns the number of messages, or undefined on failure. The
 * browser stays responsive between pages.
 */
async function downloadConversation(
  api: Api<'exportConversation'>,
  id: string,
  format: TranscriptFormat,
  onProgress: (messages: number) => void,
): Promise<number | undefined> {
  const pieces: string[] = [];
  let writer: ReturnType<typeof transcriptWriter> | undefined;
  let name = '';
  let count = 0;
  for (let after: number | null = 0; after !== null; ) {
    const page: Result<'exportConversation'> = await api('exportConversation', {
      params: { id },
      query: { after: String(after) },
    });
    if (!page.ok) return undefined;
    const { conversation, messages, next }: Answer<'exportConversation'> = page.answer;
    if (writer === undefined) {
      const head = headOf(conversation);
      writer = transcriptWriter(format, head, transcriptWords());
      name = transcriptName(format, head);
      pieces.push(writer.begin());
    }
    pieces.push(writer.page(messages));
    count += messages.length;
    onProgress(count);
    after = next;
  }
  if (writer === undefined) return undefined;
  pieces.push(writer.end());
  saveFile(name, new Blob(pieces), TRANSCRIPT_TYPES[format]);
  return count;
}

function headOf(conversation: Answer<'exportConversation'>['conversation']): TranscriptHead {
  const { id, profileName, startedAt, exportedAt, handlerAlias, inviteLabel, status } = conversation;
  return {
    conversationId: id,
    visitorName: visitorNameOrLabel(conversation),
    profileName,
    startedAt,
    exportedAt,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    staff: { handlerAlias, inviteLabel, status },
  };
}

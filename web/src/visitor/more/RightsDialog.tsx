import type { Answer } from '@settee/protocol/calls/http';
import { visitorNameOrLabel } from '@settee/protocol/model/visitor';
import {
  TRANSCRIPT_TYPES,
  type TranscriptFormat,
  transcriptName,
  transcriptWriter,
} from '@settee/protocol/render/transcript';
import type { TranscriptMessage } from '@settee/protocol/render/transcriptTypes';
import { deviceTexts } from '@settee/protocol/texts/deviceTexts';
import { visitorLanguages } from '@settee/protocol/texts/languages';
import { rightsTexts } from '@settee/protocol/texts/rightsTexts';
import { texts } from '@settee/protocol/texts/texts';
import { useState } from 'react';
import { LanguageList } from '../../browser/LanguageList.tsx';
import { chooseLanguage } from '../../browser/language.ts';
import { transcriptWords } from '../../browser/transcriptWords.ts';
import { DeviceList } from '../../chat/DeviceList.tsx';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/FieldError.tsx';
import { saveFile } from '../../ui/saveFile.ts';
import type { VisitorApi } from '../connection.ts';
import styles from './VisitorDialog.module.css';
import { VisitorDialog } from './VisitorDialog.tsx';

type RightsDialogProps = {
  what: 'download' | 'erase' | 'devices' | 'language';
  conversationId: string;
  profileName: string;
  api: VisitorApi;
  /** When another device last joined. The list of devices reloads when it changes. */
  joinedAt: number | null;
  onErased: (texts: { title: string; reason: string }) => void;
  onClose: () => void;
};

/** The dialogs for devices, language, download and deletion. */
export function RightsDialog(props: RightsDialogProps) {
  if (props.what === 'devices') return <DevicesDialog {...props} />;
  if (props.what === 'language') return <LanguageDialog {...props} />;
  if (props.what === 'download') return <DownloadDialog {...props} />;
  return <EraseDialog {...props} />;
}

function DevicesDialog({ conversationId, api, joinedAt, onClose }: RightsDialogProps) {
  return (
    <VisitorDialog
      title={deviceTexts.devices}
      note={deviceTexts.devicesNote}
      closeLabel={deviceTexts.done}
      onClose={onClose}
    >
      <div className={styles.list}>
        <DeviceList
          version={joinedAt}
          read={async () => (await api('readDevices', { params: { id: conversationId } })).answer?.devices}
          remove={async (deviceId) =>
            (await api('removeDevice', { params: { id: conversationId, deviceId } })).ok
          }
          mayRemove={({ current, first }) => !current && !first}
        />
      </div>
    </VisitorDialog>
  );
}

/** Every language by its own name, so that people find theirs on a page that they cannot read. */
function LanguageDialog({ onClose }: RightsDialogProps) {
  return (
    <VisitorDialog title={texts.language} note={texts.languageNote} onClose={onClose}>
      <div className={styles.list}>
        <LanguageList languages={visitorLanguages} onChoose={chooseLanguage} />
      </div>
    </VisitorDialog>
  );
}

/** Stays open after a download, so that the visitor can download both formats. */
function DownloadDialog({ api, conversationId, profileName, onClose }: RightsDialogProps) {
  const [busy, setBusy] = useState<'html' | 'json' | null>(null);
  const [failed, setFailed] = useState(false);

  async function download(format: 'html' | 'json'): Promise<void> {
    if (busy) return;
    setBusy(format);
    setFailed(false);
    const file = await ownTranscript(api, format, { conversationId, profileName, now: Date.now() });
    setBusy(null);
    setFailed(!file);
    if (file) saveFile(file.name, file.content, file.type);
  }

  const formats = [
    ['html', rightsTexts.downloadPage],
    ['json', rightsTexts.downloadData],
  ] as const;
  return (
    <VisitorDialog title={rightsTexts.download} note={rightsTexts.downloadNote} onClose={onClose}>
      <FieldError text={failed ? rightsTexts.downloadFailed : null} />
      {formats.map(([format, label]) => (
        <Button
          key={format}
          look={format === 'html' ? 'primary' : 'outline'}
          className={styles.choice}
          aria-disabled={busy !== null}
          onClick={() => void download(format)}
        >
          {busy === format ? rightsTexts.downloading : label}
        </Button>
      ))}
    </VisitorDialog>
  );
}

function EraseDialog({ api, conversationId, onErased, onClose }: RightsDialogProps) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function erase(): Promise<void> {
    if (busy) return;
    setBusy(true);
    setProblem(null);
    const erased = await api('eraseOwn', { params: { id: conversationId } });
    if (erased.ok) return onErased({ title: rightsTexts.erasedTitle, reason: rightsTexts.erasedNote });
    setBusy(false);
    // Do not reveal whether the chat exists: erasing is safe to repeat.
    if (erased.code === 'access_denied') setProblem(rightsTexts.eraseRefused);
    else setProblem(erased.code === 'not_found' ? rightsTexts.eraseNotHere : rightsTexts.eraseFailed);
  }

  return (
    <VisitorDialog
      title={rightsTexts.eraseTitle}
      note={rightsTexts.eraseNote}
      strong={rightsTexts.eraseFinal}
      onClose={onClose}
    >
      <FieldError text={problem} />
      <Button danger aria-disabled={busy} onClick={() => void erase()}>
        {busy ? rightsTexts.eraseBusy : rightsTexts.erase}
      </Button>
    </VisitorDialog>
  );
}

type Page = Answer<'exportOwn'>;

type TranscriptFile = { name: string; content: Blob; type: string };

/** Loads the visitor's conversation page by page and returns it as a file. Undefined if a call fails. */
async function ownTranscript(
  api: VisitorApi,
  format: Extract<TranscriptFormat, 'html' | 'json'>,
  of: { conversationId: string; profileName: string; now: number },
): Promise<TranscriptFile | undefined> {
  const pages: Page[] = [];
  for (let next: number | null = 0; next !== null; next = pages.at(-1)?.next ?? null) {
    const read = await api('exportOwn', {
      params: { id: of.conversationId },
      query: { after: String(next) },
    });
    if (!read.ok) return undefined;
    pages.push(read.answer);
  }
  const first = pages[0];
  if (!first) return undefined;
  const { conversation } = first;
  const head = {
    conversationId: conversation.id,
    visitorName: visitorNameOrLabel(conversation),
    profileName: of.profileName,
    startedAt: conversation.createdAt,
    exportedAt: of.now,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
  const writer = transcriptWriter(format, head, transcriptWords());
  const content = new Blob([
    writer.begin(),
    ...pages.map(({ messages }) => writer.page(messages.map(transcriptMessage))),
    writer.end(),
  ]);
  return { name: transcriptName(format, head), content, type: TRANSCRIPT_TYPES[format] };
}

function transcriptMessage(message: Page['messages'][number]): TranscriptMessage {
  const { seq, id, sender, text, createdAt, fileName, mediaType, size, width, height } = message;
  const image =
    fileName === undefined
      ? undefined
      : { fileName, mediaType: mediaType ?? '', size: size ?? 0, width: width ?? 0, height: height ?? 0 };
  return { seq, id, sender, text, createdAt, image };
}

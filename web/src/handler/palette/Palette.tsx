import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { type KeyboardEvent, useEffect, useId, useMemo, useState } from 'react';
import { useConsole, useSignedIn } from '../context.ts';
import { useCommandRegistry } from '../keys/commands.ts';
import { useChatReplies } from '../replies/useSavedReplies.ts';
import {
  actionItems,
  chatItems,
  GROUP_MAX,
  type GroupKind,
  inTypedOrder,
  messageItems,
  type NamedRow,
  namedRows,
  type PaletteItem,
  replyItems,
  shortGroup,
} from './items.ts';
import styles from './Palette.module.css';
import { PaletteInput } from './PaletteInput.tsx';
import { PaletteOption } from './PaletteOption.tsx';
import { useSearch } from './useSearch.ts';

export type PaletteProps = {
  text: string;
  onText: (text: string) => void;
  openId: string | undefined;
  onVisit: (conversationId: string, message?: number) => void;
  onPick: (then: () => void) => void;
};

const headings = {
  action: consoleTexts.paletteActions,
  chat: consoleTexts.paletteChats,
  desk: consoleTexts.paletteActions,
  message: consoleTexts.paletteMessages,
  label: consoleTexts.paletteLabels,
  reply: consoleTexts.paletteReplies,
};

/** Search for actions, chats, messages and replies. The field keeps the focus; arrows move the selection. */
export function Palette({ text, onText, openId, onVisit, onPick }: PaletteProps) {
  const listId = useId();
  const registry = useCommandRegistry();
  const { screen } = useSignedIn();
  const { queue } = useConsole();
  const rows = useTypedOrder(
    useMemo(() => namedRows(queue ?? []), [queue]),
    text,
  );
  const { searched, searching } = useSearch(text);
  const { data: replies = [] } = useChatReplies(openId);
  const chats = chatItems(rows, searched, text);
  const { actions, desks } = actionItems(registry.all(), text);
  const found: [GroupKind, PaletteItem[]][] = [
    ['action', actions],
    ['chat', chats.names],
    ['desk', desks],
    ['message', messageItems(searched, text)],
    ['label', chats.labels],
    // Replies need an open conversation.
    ['reply', openId === undefined ? [] : replyItems(replies, text)],
  ];
  const [whole, setWhole] = useState<ReadonlySet<GroupKind>>(new Set());
  const groups = found.flatMap(([kind, all]) =>
    all.length > 0
      ? [{ kind, items: shortGroup(kind, all, whole.has(kind) || isFirstSight(kind, text)) }]
      : [],
  );
  const items = groups.flatMap((group) => group.items);
  const count = found.reduce((sum, [, all]) => sum + all.length, 0);
  const [chosenKey, setChosenKey] = useState<string | null>(null);
  const chosen = items.find(({ key }) => key === chosenKey) ?? items[0];
  const idOf = (item: PaletteItem) => `${listId}${items.indexOf(item)}`;
  const chosenId = chosen && idOf(chosen);

  useEffect(() => {
    if (chosenId) document.getElementById(chosenId)?.scrollIntoView({ block: 'nearest' });
  }, [chosenId]);

  function pick(item: PaletteItem): void {
    if (item.kind === 'more') {
      // Select the first of the new entries.
      setChosenKey(found.find(([kind]) => kind === item.group)?.[1][GROUP_MAX]?.key ?? null);
      setWhole(new Set([...whole, item.group]));
      return;
    }
    onPick(() => {
      if (item.kind === 'action') registry.run(item.command.id);
      else if (item.kind === 'chat') onVisit(item.conversationId);
      else if (item.kind === 'message') onVisit(item.found.conversationId, item.found.seq);
      else screen.insertText.emit(item.reply.text);
    });
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined && chosen) {
      event.preventDefault();
      const next = items.at((items.indexOf(chosen) + by) % items.length);
      setChosenKey(next?.key ?? null);
    } else if (event.key === 'Enter' && chosen) {
      event.preventDefault();
      pick(chosen);
    }
  }

  const status = searching
    ? consoleTexts.paletteSearching
    : searched?.failed
      ? consoleTexts.paletteFailed
      : items.length === 0
        ? consoleTexts.paletteNothing
        : searched?.complete === false
          ? consoleTexts.paletteIncomplete
          : text.trim() === ''
            ? ''
            : fillText(consoleTexts.paletteCount, { count });

  return (
    <>
      <PaletteInput
        value={text}
        onChange={(event) => {
          onText(event.target.value);
          setChosenKey(null);
          setWhole(new Set());
        }}
        onKeyDown={onKeyDown}
        role="combobox"
        aria-expanded={items.length > 0}
        aria-controls={items.length > 0 ? listId : undefined}
        aria-activedescendant={chosenId}
        aria-autocomplete="list"
      />
      {items.length > 0 && (
        <div id={listId} className={styles.list} role="listbox" aria-label={consoleTexts.palette}>
          {groups.map((group) => {
            const { kind } = group;
            return (
              // biome-ignore lint/a11y/useSemanticElements: a listbox may hold groups, not fieldsets
              <div key={kind} role="group" aria-labelledby={`${listId}${kind}`}>
                <p id={`${listId}${kind}`} className={styles.heading}>
                  {headings[kind]}
                </p>
                {group.items.map((item) => (
                  <PaletteOption
                    key={item.key}
                    id={idOf(item)}
                    item={item}
                    query={text}
                    chosen={item === chosen}
                    onPoint={() => setChosenKey(item.key)}
                    onPick={() => pick(item)}
                  />
                ))}
              </div>
            );
          })}
        </div>
      )}
      <p className={styles.status} role="status">
        {status}
      </p>
    </>
  );
}

/** Before typing, all actions are visible. */
function isFirstSight(kind: GroupKind, text: string): boolean {
  return kind === 'action' && text.trim() === '';
}

/** Keeps the queue's order of the moment when the text last changed. */
function useTypedOrder(rows: readonly NamedRow[], text: string): readonly NamedRow[] {
  const [typed, setTyped] = useState<{ text: string; order: readonly string[] }>({ text, order: [] });
  // An empty order means that the queue has not loaded yet.
  if (typed.text !== text || (typed.order.length === 0 && rows.length > 0)) {
    setTyped({ text, order: rows.map(({ row }) => row.conversationId) });
  }
  return useMemo(() => inTypedOrder(typed.order, rows), [typed.order, rows]);
}

import type { Brand } from '@settee/protocol/model/brand';
import { texts } from '@settee/protocol/texts/texts';
import { useMemo } from 'react';
import { reloadPage } from '../browser/reloadPage.ts';
import { Composer } from '../chat/composer/Composer.tsx';
import { useImages } from '../chat/images/useImages.ts';
import { MessageList } from '../chat/list/MessageList.tsx';
import type { ConversationState } from '../chat/model/conversationState.ts';
import type { LiveConversation } from '../chat/model/liveConversation.ts';
import { olderLoader } from '../chat/model/loadOlder.ts';
import { openDraft } from '../chat/outbox/draft.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import styles from './ActiveView.module.css';
import type { Connection } from './connection.ts';
import { lazyWithFallback } from './lazyWithFallback.tsx';
import { loadForms } from './loadForms.ts';

/** Loaded with the forms, because a visitor of an empty chat has just used one. */
const EmptyChat = lazyWithFallback(
  () => loadForms().then((forms) => forms.EmptyChat),
  () => texts.visitorEmpty,
);
const Greeting = lazyWithFallback(() => loadForms().then((forms) => forms.Greeting));

const SetteeDrawing = lazyWithFallback(() =>
  import('../ui/SetteeDrawing.tsx').then((part) => part.SetteeDrawing),
);

const AwayNote = lazyWithFallback(() => import('./AwayNote.tsx').then((part) => part.AwayNote));

const privateNote = (
  <p className={styles.private}>
    <Icon name="lock" size={15} />
    {texts.privateNote}
  </p>
);

/** On touch screens, focus opens the keyboard. Do not move focus that is elsewhere on the page. */
const mayFocus = () =>
  document.activeElement === document.body && matchMedia('(hover: hover) and (pointer: fine)').matches;

type ChatRoomProps = {
  conversation: LiveConversation;
  state: ConversationState;
  connection: Connection;
  brand: Brand;
  keyboardOpen: boolean;
  focusAtOnce: boolean;
  /** The server closed the connection for good. The header shows a notice. */
  ended: boolean;
  /** Opens the form for an e-mail address. Undefined if the visitor cannot leave one. */
  onMail: (() => void) | undefined;
};

/** The messages and the composer, or a notice that the chat is closed. */
export function ChatRoom(props: ChatRoomProps) {
  const { conversation, state, brand, keyboardOpen, ended } = props;
  const { api, tokens, unsent } = props.connection;
  const draft = useMemo(() => openDraft(unsent, state.id), [unsent, state.id]);
  const { images, uploads, open, want } = useImages(conversation, 'visitor', tokens);
  const loadOlder = useMemo(() => olderLoader(api, conversation), [api, conversation]);
  const canSend = state.view?.canSend ?? true;
  const away = state.view && 'away' in state.view ? state.view.away : null;
  const reopens = canSend && state.view?.status === 'closed';

  if (ended && !state.loaded) {
    return (
      <main className={styles.ended}>
        <SetteeDrawing seats="two" width={200} />
        <Button onClick={reloadPage}>{texts.refreshPage}</Button>
      </main>
    );
  }
  return (
    <main className={styles.room}>
      <MessageList
        state={state}
        name={brand.displayName}
        keyboardOpen={keyboardOpen}
        empty={<EmptyChat brand={brand}>{privateNote}</EmptyChat>}
        top={privateNote}
        greeting={brand.greeting && <Greeting brand={brand} greeting={brand.greeting} />}
        unsent={conversation}
        onLooked={conversation.looked}
        loadOlder={loadOlder}
        images={images}
        uploads={uploads}
        onImages={want}
      />
      {away && canSend && !ended && <AwayNote away={away} onMail={props.onMail} />}
      {reopens && !ended && (
        <p className={styles.aside} role="status">
          {texts.reopenNote}
        </p>
      )}
      {ended ? null : canSend ? (
        <Composer
          draft={draft}
          onSend={({ text, id }) => conversation.send(text, id)}
          openUploads={async () => (await open()).uploads}
          onTyping={conversation.typing}
          focusAtOnce={props.focusAtOnce || mayFocus()}
        />
      ) : (
        <footer className={styles.closed}>
          <div className={styles.drawing}>
            <SetteeDrawing seats="empty" width={96} />
          </div>
          {brand.farewell && <p className={styles.farewell}>{brand.farewell}</p>}
          <strong>{texts.closedTitle}</strong>
          <p>{texts.closedNote}</p>
        </footer>
      )}
    </main>
  );
}

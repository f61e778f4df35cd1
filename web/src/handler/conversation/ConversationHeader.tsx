import { consoleTexts } from '@settee/protocol/consoleTexts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import styles from './ConversationHeader.module.css';

type ConversationHeaderProps = {
  name: string;
  profileName: string;
  onBack: () => void;
  onClose: () => void;
  onBlock: () => void;
  onSignOut: () => void;
};

export function ConversationHeader(props: ConversationHeaderProps) {
  return (
    <header className={styles.header}>
      <Button look="bare" onClick={props.onBack}>
        <Icon name="back" size={17} />
        <span>{consoleTexts.backToQueue}</span>
      </Button>
      <div className={styles.who}>
        <h1>
          <bdi>{props.name}</bdi>
        </h1>
        <p>
          {consoleTexts.chatWith} {props.profileName}
        </p>
      </div>
      <Button look="outline" onClick={props.onClose}>
        <Icon name="check" size={17} />
        <span>{consoleTexts.close}</span>
      </Button>
      <Button look="outline" danger onClick={props.onBlock}>
        <Icon name="ban" size={17} />
        <span>{consoleTexts.block}</span>
      </Button>
      {/* With two panes the queue beside it has one already. */}
      <Button look="bare" className={styles.onPages} onClick={props.onSignOut}>
        <Icon name="out" size={17} />
        <span>{consoleTexts.signOut}</span>
      </Button>
    </header>
  );
}

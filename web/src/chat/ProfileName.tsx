import type { Brand } from '@settee/protocol/model/brand';
import { texts } from '@settee/protocol/texts/texts';
import { Seal } from '../ui/Seal.tsx';

export function ProfileName({ brand, size }: { brand: Brand; size: 'medium' | 'large' }) {
  return (
    <h1 className="profile-name" data-size={size}>
      <span>{brand.displayName}</span>
      {brand.verified && <Seal label={texts.verifiedTooltip} size={size} />}
    </h1>
  );
}

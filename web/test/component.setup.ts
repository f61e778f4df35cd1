// Component tests look like the product: its fonts, tokens and base styles.
import '../src/design/fonts.css';
import '../src/design/tokens.css';
import '../src/design/base.css';

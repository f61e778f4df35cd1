import DefaultTheme from 'vitepress/theme-without-fonts';
import '../../../../web/src/design/tokens.css';
import '../../../../web/src/design/fonts.css';
import './site.css';

export default DefaultTheme;

import { steps } from './plots/heat-plot.js';

/** Colours by name, for light pages and paper, and for dark pages. Ramps go from what is least to what is most. */
const light = {
  paper: '#ffffff',
  ink: '#1d2429',
  muted: '#5a6670',
  line: '#d5dbe0',
  grid: '#e8ecef',
  soft: '#f5f7f8',
  link: '#17598a',
  released: '#5b93bd',
  'released-aside': '#a9bccb',
  prior: '#b4480b',
  bound: '#1d2429',
  warn: '#8f1d14',
  'warn-soft': '#fdeeec',
};
const dark: typeof light = {
  paper: '#14181b',
  ink: '#e4e8eb',
  muted: '#9aa6b0',
  line: '#3a434b',
  grid: '#2a3238',
  soft: '#1b2125',
  link: '#8cc4ee',
  released: '#4a84b0',
  'released-aside': '#51606c',
  prior: '#f5a45d',
  bound: '#e4e8eb',
  warn: '#ffb4a8',
  'warn-soft': '#3a1d19',
};
const growing = {
  light: ['#eef3f7', '#d3e2ee', '#b0cde2', '#84b1d3', '#5590bd', '#2f6d9f', '#154a78'],
  dark: ['#1f272d', '#223a4d', '#26506f', '#2f6a94', '#4488b6', '#6eaad3', '#a9d3ee'],
};
const twoSided = {
  light: ['#a2420c', '#d4834c', '#efc7a9', '#eef0f1', '#b6d0e4', '#5c95c1', '#1c5a8c'],
  dark: ['#f5a45d', '#b8743a', '#6b4a30', '#262d32', '#2c4d66', '#3f7fae', '#8cc4ee'],
};

const properties = (theme: 'light' | 'dark'): string => {
  const plain = Object.entries(theme === 'light' ? light : dark).map(([name, colour]) => `--${name}:${colour}`);
  const ramps = Array.from({ length: steps }, (_, step) => [
    `--growing-${step}:${growing[theme][step]}`,
    `--two-sided-${step}:${twoSided[theme][step]}`,
  ]);
  return [`color-scheme:${theme}`, ...plain, ...ramps.flat()].join(';');
};

/** The look of the report: one column for reading, plots beside each other where there is room, nothing from outside. */
export const style = `
:root{${properties('light')}}
@media (prefers-color-scheme:dark){:root{${properties('dark')}}}
@media print{:root{${properties('light')}}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-behavior:smooth}
body{margin:0;background:var(--paper);color:var(--ink);font:17px/1.55 Charter,"Bitstream Charter","Sitka Text",Cambria,Georgia,serif;overflow-wrap:anywhere}
main,header,footer{max-width:70rem;margin:0 auto;padding:0 1.5rem}
header{padding-top:3.2rem}
.kind{margin:0 0 .4rem;color:var(--muted);font:600 .78rem/1.4 system-ui,sans-serif;letter-spacing:.06em;text-transform:uppercase}
h1 small{font:400 .42em/1.4 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;letter-spacing:0;color:var(--muted)}
h1{margin:0 0 .9rem;font-size:2.3rem;line-height:1.15;font-weight:600;letter-spacing:-.01em;max-width:24em}
h2{margin:0 0 1rem;font-size:1.5rem;line-height:1.25;font-weight:600}
h3{margin:2rem 0 .5rem;font:600 1rem/1.4 system-ui,sans-serif}
p,ul{max-width:42rem;margin:0 0 1rem}
ul{padding-left:1.2rem}
li{margin-bottom:.35rem}
.lead{font-size:1.18rem;line-height:1.5}
a{color:var(--link);text-underline-offset:.15em}
section{margin:0;padding:2.4rem 0 1.2rem;border-top:1px solid var(--line)}
nav,table,figcaption,.facts,.key,details,.cards h3,.small,.index,footer{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif}
.narrow{max-width:26rem}
.small,footer{font-size:.83rem;line-height:1.5;color:var(--muted)}
nav{margin:1.8rem 0 2.4rem;font-size:.86rem}
nav ol{display:flex;flex-wrap:wrap;gap:.3rem 1.3rem;margin:0;padding:0;list-style:none}
nav a,.index a{text-decoration:none}
nav a:hover,.index a:hover{text-decoration:underline}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));gap:1.1rem 1.6rem;margin:1.8rem 0 0;padding:1.2rem 0 0;border-top:2px solid var(--ink)}
.figures div{min-width:0}
.figures dt{font:.8rem/1.35 system-ui,sans-serif;color:var(--muted)}
.figures dd{margin:0;font-size:1.65rem;line-height:1.2;font-variant-numeric:tabular-nums}
.warning{margin:1.5rem 0 0;padding:.9rem 1.1rem;max-width:none;border-left:4px solid var(--warn);background:var(--warn-soft);color:var(--warn);font-weight:600}
.prose{columns:2 25rem;column-gap:3.4rem}.prose p{break-inside:avoid}
.beside{display:grid;grid-template-columns:minmax(0,42rem) minmax(0,auto);gap:1rem 3.4rem;justify-content:start;align-items:start}
.room{container-type:inline-size}
.box{width:fit-content;max-width:100%;max-height:30rem;overflow:auto;margin:0 0 1.2rem;border-bottom:1px solid var(--line)}
table{border-collapse:collapse;font-size:.83rem;line-height:1.4;font-variant-numeric:tabular-nums}
caption{padding:0 0 .4rem;text-align:left;color:var(--muted)}
th,td{padding:.32rem 1.3rem .32rem 0;min-width:9em;text-align:left;vertical-align:top;border-bottom:1px solid var(--grid)}
th{position:sticky;top:0;background:var(--paper);font-weight:600;border-bottom:1px solid var(--line)}
th:last-child,td:last-child{padding-right:.2rem}
.number{min-width:0;text-align:right;overflow-wrap:normal}
td.number{white-space:nowrap}
@container (max-width:42rem){
.many{width:auto;overflow-x:visible}
.many table,.many tbody,.many caption{display:block}
.many thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.many tr{display:grid;grid-template-columns:repeat(auto-fill,minmax(8em,1fr));grid-auto-flow:dense;gap:.15rem .8rem;align-items:end;padding:.55rem 0;border-bottom:1px solid var(--grid)}
.many tr:last-child{border:0}
.many td{display:block;min-width:0;padding:0;border:0;text-align:left}
.many td:not(.number){grid-column:1/-1}
.many td:first-child{font-weight:600}
.many td:empty{display:none}
.many td[data-label]::before{content:attr(data-label);color:var(--muted);font-size:.92em;margin-right:.6em}
.many td.number[data-label]::before{display:block;margin:0;white-space:normal}
}
details{margin:.3rem 0 1rem;font-size:.83rem}
summary{cursor:pointer;color:var(--link);padding:.15rem 0}
details[open]>summary{margin-bottom:.5rem}
figure{margin:0;min-width:0}
.plot{overflow-x:auto;max-width:100%}
.plot svg{display:block;height:auto;max-width:100%}
.wide svg{max-width:none}
svg text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,20.5rem),1fr));gap:2rem 2.2rem;margin-top:1.4rem}
.cards .plot svg{width:100%;max-width:26rem}
.cards h3{margin:0}
.cards .small{margin:0 0 .5rem}.cards figure .small{margin:.3rem 0 0}
.card{min-width:0;break-inside:avoid}
.maps{display:flex;flex-wrap:wrap;gap:1.6rem 2.4rem;align-items:flex-start}
.maps>*{min-width:0;max-width:100%}
.maps h3{margin-top:0}
.pairs{flex:1 1 24rem}
.key{display:flex;flex-wrap:wrap;align-items:center;gap:.35rem .6rem;margin:.3rem 0 1rem;font-size:.8rem;color:var(--muted)}
.ramp{display:inline-flex}
.ramp i{width:1.3rem;height:.8rem}
.mark{display:inline-block;width:1.2rem;height:.75rem;background:var(--released)}
.mark.prior{width:.22rem;height:1rem;background:var(--prior)}
.mark.bound{height:2px;background:var(--bound)}
.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,24rem),1fr));gap:0 2.2rem;margin:0 0 1.2rem;font-size:.86rem}
.facts div{display:flex;gap:1rem;justify-content:space-between;padding:.32rem 0;border-bottom:1px solid var(--grid)}
.facts dt{color:var(--muted);flex:0 1 auto;min-width:35%}
.facts dd{margin:0;text-align:right;min-width:0;flex:0 1 auto}
.index{columns:12rem auto;max-width:none;margin:0 0 1rem;padding:0;list-style:none;font-size:.83rem}
.index li{margin:0 0 .2rem;break-inside:avoid}
code,pre{font:.86em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
pre{max-width:100%;white-space:pre-wrap;margin:0 0 1.2rem;padding:.8rem 1rem;background:var(--soft);border-radius:4px}
footer{padding-top:1.2rem;padding-bottom:3rem;border-top:1px solid var(--line)}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
@media (max-width:60rem){.beside{grid-template-columns:minmax(0,1fr)}}
@media (max-width:40rem){body{font-size:16px}main,header,footer{padding-left:1rem;padding-right:1rem}header{padding-top:2rem}h1{font-size:1.7rem}h2{font-size:1.3rem}.figures{grid-template-columns:repeat(2,1fr)}.figures dd{font-size:1.35rem}.box{max-height:none}details .box{max-height:75vh}.facts div{display:block}.facts dd{text-align:left}}
@media print{
@page{margin:16mm 14mm}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}
body{font-size:10.5pt}
main,header,footer{max-width:none;padding-left:0;padding-right:0}
header{padding-top:0}
nav{display:none}
.figures{margin-bottom:1.6rem}
section{padding:1.2rem 0 .6rem}
.box{max-height:none;overflow:visible}
.plot{overflow:visible}
.plot svg{max-width:100%}
.beside{grid-template-columns:minmax(0,1fr)}
main>section>.room,.maps .room{container-type:normal}
.maps{gap:1.2rem 1rem}
.key{font-size:.7rem}
th{position:static}
td,th{padding-right:.8rem}
td.number{white-space:normal}
.cards{grid-template-columns:1fr 1fr;gap:1.2rem 1.6rem}
.facts{grid-template-columns:1fr}
h2,h3{break-after:avoid}
tr,figure,.card,.warning{break-inside:avoid}
details:not([open]){display:none}
a{color:inherit;text-decoration:none}
}
`;

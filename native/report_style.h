// The look of a report: one column of text, wider figures, quiet tables; light, dark and paper.
#pragma once
#include <string_view>

namespace softalign {

inline constexpr std::string_view report_style = R"(*{box-sizing:border-box}html{color-scheme:light dark;background:var(--paper);color:var(--ink)}
body{margin:0 auto;max-width:78rem;padding:2.2rem clamp(1rem,4vw,3rem) 4rem;font:1.06rem/1.6 Literata,Charter,Georgia,"DejaVu Serif",serif;font-variant-numeric:tabular-nums lining-nums}
h1{font-size:clamp(1.6rem,4.5vw,2.3rem);line-height:1.2;margin:0 0 .6rem;letter-spacing:-.01em}h2{font-size:1.42rem;line-height:1.3;margin:3.2rem 0 .5rem;padding-top:.9rem;border-top:1px solid var(--line)}h3{font-size:1.1rem;margin:2rem 0 .3rem}
p,figcaption,footer,nav{max-width:68ch}p{margin:.5rem 0}code,.mono{font-family:"JetBrains Mono","SFMono-Regular",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.92em;overflow-wrap:anywhere}
.lead{font-size:1.2rem;line-height:1.5}.muted,figcaption,footer{color:var(--muted);font-size:.94rem}a{color:var(--source);text-underline-offset:.2em}
nav ul{display:flex;flex-wrap:wrap;gap:.2rem 1.3rem;list-style:none;margin:1rem 0 0;padding:0}nav a{display:inline-block;padding:.25rem 0}
.scroll{overflow-x:auto;max-width:100%;margin:1rem 0;padding-bottom:.2rem}:focus-visible{outline:2px solid var(--source);outline-offset:2px}
table{border-collapse:collapse;font-size:.96rem}caption{text-align:left;font-weight:600;padding:0 0 .35rem;max-width:68ch}
th,td{padding:.26rem .8rem;text-align:right;white-space:nowrap;border-bottom:1px solid var(--line)}thead th{color:var(--muted);font-weight:500;font-size:.92em;border-bottom:1px solid var(--edge);vertical-align:bottom}
th:first-child,td.words{text-align:left}th:first-child{padding-left:0;position:sticky;left:0;background:var(--paper)}tbody th{font-weight:500}tbody th.group{font-style:italic;color:var(--muted);padding-top:.9rem;font-weight:400}tr:last-child>td,tr:last-child>th{border-bottom-color:var(--edge)}
.by-chance th,.by-chance td{color:var(--muted)}figure{margin:1.2rem 0 1.6rem}figcaption{margin-top:.3rem}.panels{display:flex;flex-wrap:wrap;gap:1.2rem 2rem;margin:1rem 0 .4rem}.panels figure{margin:0}.panels figcaption{margin:0 0 .1rem;color:var(--ink);font-weight:600}
.key{display:inline-block;width:1.5em;height:.75em;background:var(--target);opacity:.78;vertical-align:-.05em}.key.forced{height:0;border-top:2px solid var(--ink);background:none;opacity:1;vertical-align:.25em}
.scroll svg{display:block}
caption span{position:sticky;left:0;display:inline-block;max-width:calc(100vw - 2.2rem)}thead th[colspan]{text-align:center}thead tr:not(:last-child)>*{border-bottom:0;padding-bottom:0}thead th[colspan]>span{display:block;border-bottom:1px solid var(--line)}@media (min-width:60rem){caption{white-space:nowrap}}
@media (max-width:40rem){body{font-size:1rem}th,td{padding:.26rem .55rem}}
@media print{@page{margin:14mm}html{font-size:11.5px}body{max-width:none;padding:0}nav{display:none}.scroll{overflow:visible}svg{max-width:100%;height:auto;break-inside:avoid}figure,table,tr{break-inside:avoid}h2,h3{break-after:avoid}table{font-size:.82rem}th,td{padding:.12rem .42rem}caption span{max-width:none}.map,.chart,.key{print-color-adjust:exact}a{color:inherit;text-decoration:none}}
)";

}  // namespace softalign

// One classic script for the server's JavaScript engine: it defines the global `katex`.
import katex from "katex";

globalThis.katex = katex;

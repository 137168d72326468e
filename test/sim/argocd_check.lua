-- Runs a health check as Argo CD does: lua5.1 argocd_check.lua CHECK OBJECT prints "Status: message". OBJECT returns a table.
-- Argo CD opens the libraries base, table and a part of os only.
local write = io.write
local check, object = assert(loadfile(arg[1])), assert(loadfile(arg[2]))
obj = object()
getmetatable("").__index = nil
string, math, io, debug, coroutine, package, require, dofile, loadfile, os = nil
local health = check()
write(health.status, ": ", health.message, "\n")

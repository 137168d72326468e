-- The health of a Keelson object for Argo CD, from its status.observedGeneration and its conditions, as kstatus reads them.
-- health-checks.yaml installs this check for each kind. Argo CD runs Lua 5.1 without the libraries string and math.
local function is_true(conditions, type)
  for _, condition in ipairs(conditions) do
    if condition.type == type and condition.status == "True" then return condition end
  end
  return nil
end

local function message_of(conditions, type)
  for _, condition in ipairs(conditions) do
    if condition.type == type then return condition.message end
  end
  return nil
end

local status = obj.status or {}
local conditions = status.conditions or {}

if obj.metadata.deletionTimestamp ~= nil then
  return { status = "Progressing", message = "The object is being deleted." }
end
if status.observedGeneration == nil or status.observedGeneration ~= obj.metadata.generation then
  return { status = "Progressing", message = "The manager has not observed the newest spec yet." }
end
local stalled = is_true(conditions, "Stalled")
if stalled ~= nil then
  return { status = "Degraded", message = stalled.message }
end
local ready = is_true(conditions, "Ready")
if ready ~= nil then
  return { status = "Healthy", message = ready.message }
end
return { status = "Progressing", message = message_of(conditions, "Ready") or "The object is not ready yet." }

-- Crossplane reports Synced (the last reconciliation worked) and Ready (the resource can be used). Packages report
-- Installed and Healthy. Configurations of providers report neither.
local bad = { Synced = "Degraded", LastAsyncOperation = "Degraded", Installed = "Progressing", Healthy = "Progressing", Ready = "Progressing" }
local order = { "Synced", "LastAsyncOperation", "Installed", "Healthy", "Ready" }

local conditions = {}
for _, condition in ipairs(obj.status and obj.status.conditions or {}) do
  conditions[condition.type] = condition
end

local said = false
for _, name in ipairs(order) do
  local condition = conditions[name]
  if condition ~= nil then
    said = true
    if condition.reason == "ReconcilePaused" then
      return { status = "Suspended", message = condition.message or "reconciliation is paused" }
    end
    if condition.status == "False" then
      return { status = bad[name], message = condition.message or condition.reason }
    end
    if condition.status ~= "True" then
      return { status = "Progressing", message = condition.message or condition.reason }
    end
  end
end

if obj.kind:match("ProviderConfig") or obj.kind == "Composition" then
  return { status = "Healthy" }
end
if not said then
  return { status = "Progressing", message = "no controller has reported on it yet" }
end
return { status = "Healthy" }

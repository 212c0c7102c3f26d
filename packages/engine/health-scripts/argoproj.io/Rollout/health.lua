-- Argo Rollouts computes the health itself, and reports it as a phase. Generations are texts there.
local status = obj.status
if status == nil or status.phase == nil then
  return { status = "Progressing", message = "no controller has reported on it yet" }
end

local function isBehind(observed, wanted)
  return tonumber(observed) ~= nil and tonumber(wanted) ~= nil and tonumber(observed) < tonumber(wanted)
end

local annotations = obj.metadata.annotations or {}
if isBehind(status.observedGeneration, obj.metadata.generation) then
  return { status = "Progressing", message = "the new definition has not been observed yet" }
end
if isBehind(status.workloadObservedGeneration, annotations["rollout.argoproj.io/workload-generation"]) then
  return { status = "Progressing", message = "the new workload has not been observed yet" }
end

local health = { Healthy = "Healthy", Paused = "Suspended", Progressing = "Progressing", Degraded = "Degraded" }
return { status = health[status.phase] or "Unknown", message = status.message }

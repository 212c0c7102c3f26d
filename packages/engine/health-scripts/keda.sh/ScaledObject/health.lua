-- Active only says whether it scales above its minimum now, and Fallback that it guesses.
local annotations = obj.metadata.annotations or {}
if annotations["autoscaling.keda.sh/paused"] == "true" or annotations["autoscaling.keda.sh/paused-replicas"] ~= nil then
  return { status = "Suspended", message = "scaling is paused" }
end

local hs = { status = "Progressing", message = "no controller has reported on it yet" }
for _, condition in ipairs(obj.status and obj.status.conditions or {}) do
  if condition.type == "Fallback" and condition.status == "True" then
    return { status = "Degraded", message = condition.message }
  end
  if condition.type == "Ready" and condition.status == "True" then
    hs = { status = "Healthy", message = condition.message }
  elseif condition.type == "Ready" and condition.status == "False" then
    hs = { status = "Degraded", message = condition.message }
  end
end
return hs

-- A certificate that is being renewed still works, so only one that has never been ready is progressing for that.
local conditions = {}
for _, condition in ipairs(obj.status and obj.status.conditions or {}) do
  conditions[condition.type] = condition
end

local ready, issuing = conditions.Ready, conditions.Issuing
if ready == nil then
  return { status = "Progressing", message = "no certificate has been requested yet" }
end
if (ready.observedGeneration or obj.metadata.generation or 0) < (obj.metadata.generation or 0) then
  return { status = "Progressing", message = "the new definition has not been observed yet" }
end
if ready.status == "True" then
  return { status = "Healthy", message = ready.message }
end
if issuing ~= nil and issuing.status == "True" then
  return { status = "Progressing", message = issuing.message }
end
if (obj.status.failedIssuanceAttempts or 0) > 0 then
  return { status = "Degraded", message = ready.message }
end
return { status = "Progressing", message = ready.message }

-- The controller reports nothing when its status updates are switched off; then nothing is known.
local status = obj.status
if status == nil then
  return { status = "Healthy", message = "the controller reports no status" }
end
if (status.observedGeneration or 0) < (obj.metadata.generation or 0) then
  return { status = "Progressing", message = "the new definition has not been observed yet" }
end
for _, condition in ipairs(status.conditions or {}) do
  if condition.type == "Synced" and condition.status == "False" then
    return { status = "Degraded", message = condition.message }
  end
end
return { status = "Healthy" }

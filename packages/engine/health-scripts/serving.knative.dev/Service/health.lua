-- A service is usable when Ready, which waits for its configuration and its routes.
local status = obj.status
if status == nil or status.conditions == nil then
  return { status = "Progressing", message = "no controller has reported on it yet" }
end
if (status.observedGeneration or 0) < (obj.metadata.generation or 0) then
  return { status = "Progressing", message = "the new definition has not been observed yet" }
end
for _, condition in ipairs(status.conditions) do
  if condition.type == "Ready" then
    local health = { ["True"] = "Healthy", ["False"] = "Degraded" }
    return { status = health[condition.status] or "Progressing", message = condition.message }
  end
end
return { status = "Progressing" }

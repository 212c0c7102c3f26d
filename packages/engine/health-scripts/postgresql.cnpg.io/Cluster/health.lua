-- The phase is a sentence. Only some of them need a person.
local annotations = obj.metadata.annotations or {}
if annotations["cnpg.io/hibernation"] == "on" then
  return { status = "Suspended", message = "the cluster hibernates" }
end

local phase = obj.status and obj.status.phase
if phase == nil then
  return { status = "Progressing", message = "no controller has reported on it yet" }
end
if phase == "Cluster in healthy state" then
  return { status = "Healthy", message = phase }
end
for _, hint in ipairs({ "unable", "unrecoverable", "cannot", "error", "not enough disk space", "invalid" }) do
  if phase:lower():find(hint, 1, true) then
    return { status = "Degraded", message = obj.status.phaseReason or phase }
  end
end
if phase:find("^Waiting for user") then
  return { status = "Suspended", message = phase }
end
return { status = "Progressing", message = string.format("%s (%d of %d instances are ready)", phase, obj.status.readyInstances or 0, obj.spec.instances or 1) }

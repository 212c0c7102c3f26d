-- Available is Degraded, as a status, while some replicas are missing.
if obj.spec ~= nil and obj.spec.paused then
  return { status = "Suspended", message = "the operator leaves it alone" }
end

local hs = { status = "Progressing", message = "no controller has reported on it yet" }
for _, condition in ipairs(obj.status and obj.status.conditions or {}) do
  if condition.type == "Reconciled" and condition.status == "False" then
    return { status = "Degraded", message = condition.message or condition.reason }
  end
  if condition.type == "Available" then
    hs = { status = condition.status == "True" and "Healthy" or "Progressing", message = condition.message or condition.reason }
  end
end
return hs

-- A secret that could not be read again is reported, although its last value is still there.
for _, condition in ipairs(obj.status and obj.status.conditions or {}) do
  if condition.type == "Ready" and condition.status == "True" then
    return { status = "Healthy", message = condition.message }
  end
  if condition.type == "Ready" and condition.status == "False" then
    return { status = "Degraded", message = condition.message }
  end
end
return { status = "Progressing", message = "the secret has not been read yet" }

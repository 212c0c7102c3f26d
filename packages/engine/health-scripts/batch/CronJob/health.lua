-- A CronJob says when it last started a job, and when one last succeeded.
if obj.spec.suspend then
  return { status = "Suspended", message = "the schedule is suspended" }
end
local status = obj.status or {}
-- Nothing should wait for it: the next job comes after this one.
if status.active ~= nil and #status.active > 0 then
  return { status = "Healthy", message = string.format("%d running", #status.active) }
end
local last, succeeded = status.lastScheduleTime, status.lastSuccessfulTime
-- Times in this form sort like texts.
if last ~= nil and (succeeded == nil or succeeded < last) then
  return { status = "Degraded", message = "the job of " .. last .. " did not succeed" }
end
return { status = "Healthy" }

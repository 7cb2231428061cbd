-- In the place of neo-tree where it is not there.
return { setup = function() end }
